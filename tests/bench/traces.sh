#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures how fast captures are read, from files in the page cache, and in how much memory; see docs/performance.md.
# usage: tests/bench/traces.sh [BUILD_DIR [PACKETS]]   (a release build; default build/release, 3000000)
set -euo pipefail
SOURCE_DIR=$(cd "$(dirname "$0")/../.." && pwd)
BUILD_DIR=${1:-$SOURCE_DIR/build/release}
VQSIM=$BUILD_DIR/vqsim
. "$SOURCE_DIR/tests/bench/measure.sh"
packets=${2:-3000000}
bench=$BUILD_DIR/tests/bench_trace
file=$(mktemp)
trap 'rm -f "$file"' EXIT

# Millions of packets per second of CPU time, the median of five.
rate() {
    for _ in 1 2 3 4 5; do
        "$bench" "$1" "$file" | awk '{printf "%.2f\n", $1 / $2 / 1e6}'
    done | median
}

per_packet_read() { # FORMAT: instructions of one packet more
    local few many
    "$bench" write "$1" 20000 >"$file"
    few=$(instructions "$bench" read "$file")
    "$bench" write "$1" 60000 >"$file"
    many=$(instructions "$bench" read "$file")
    echo $(((many - few) / 40000))
}

for format in pcap pcapng csv ftrace; do
    cost=$(per_packet_read $format)
    count=$packets
    [ $format != ftrace ] || count=$((packets / 6)) # six lines a packet
    "$bench" write $format $((count / 10)) >"$file"
    read -r _ _ tenth _ < <("$bench" order "$file")
    "$bench" write $format "$count" >"$file"
    read -r _ _ whole _ < <("$bench" order "$file")
    echo "$format  $(rate read) Mpkt/s read, $(rate order) in order with entries, $cost instructions per packet read," \
        "$tenth KiB at $((count / 10)) packets, $whole KiB at $count"
done
