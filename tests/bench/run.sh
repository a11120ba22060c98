#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures the speed and the memory of one simulation and of the yardstick; see docs/performance.md.
# usage: tests/bench/run.sh [BUILD_DIR]   (a release build; default build/release)
set -euo pipefail
SOURCE_DIR=$(cd "$(dirname "$0")/../.." && pwd)
BUILD_DIR=${1:-$SOURCE_DIR/build/release}
VQSIM=$BUILD_DIR/vqsim
. "$SOURCE_DIR/tests/bench/measure.sh"
yardstick=$BUILD_DIR/tests/bench_engine

machine() {
    sed -n 's/^model name[^:]*: /processor  /p' /proc/cpuinfo | head -1
    echo "processors $(nproc)"
    echo "compiler   $(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt" |
        xargs -I{} sh -c '{} --version | head -1')"
}

# Millions of packets per second of CPU time, the median of five runs.
yardstick_rate() {
    for _ in 1 2 3 4 5; do
        "$yardstick" 5000000 | awk '{printf "%.2f\n", $1 / $3 / 1e6}'
    done | median
}

# The same for a scenario: the difference of two lengths, so that start-up cancels.
rate() {
    local short=$2 long=$3 fewer more
    fewer=$(packets "$1" "$short")
    more=$(packets "$1" "$long")
    for _ in 1 2 3 4 5; do
        echo "$(peak "$1" "$short") $(peak "$1" "$long")" |
            awk -v n=$((more - fewer)) '{printf "%.3f\n", n / ($4 - $2) / 1e6}'
    done | median
}

machine
plain=$(yardstick_rate)
count() { instructions "$yardstick" "$1"; }
echo "yardstick  $plain Mpkt/s  $(((($(count 300000) - $(count 100000))) / 200000)) instructions per packet"
while read -r scenario short long; do
    speed=$(rate "$scenario" "$short" "$((10 * long))")
    read -r once _ < <(peak "$scenario" "$long")
    read -r tenfold _ < <(peak "$scenario" "$((10 * long))")
    echo "$scenario  $speed Mpkt/s  $(awk -v a="$speed" -v b="$plain" 'BEGIN {printf "%.3f", a / b}') of the yardstick  $(
        per_packet "$scenario" "$short" "$long") instructions per packet  $once KiB  $tenfold KiB at ten times the length"
done <<'END'
xsk 5 20
sendfile 100 400
END
