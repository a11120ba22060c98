#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes the scenario reader for SECONDS (default 60) on one core, from the refused and accepted scenarios of
# tests/rejects. Exit 0: no finding. The input of a finding stays in build/fuzz.
set -eu
seconds=${1:-60}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD_DIR:-$root/build}/fuzz
mkdir -p "$build/corpus"
cd "$root"
parts=(assertion axis config document file_set json_scan json_text layer param_tree range scenario
    scenario_build scenario_check scenario_effect scenario_expect scenario_probe scenario_read scenario_sweep
    scenario_trace sha256 show suggest value value_dist)
sources=(tests/fuzz/fuzz_scenario.c sim/engine/*.c models/*.c sim/study/trace*.c)
for part in "${parts[@]}"; do
    sources+=("sim/study/$part.c")
done
flags=$(pkg-config --cflags --libs gsl libcjson libpcap zlib libmd)
# shellcheck disable=SC2086
clang -std=c17 -g -O1 -D_GNU_SOURCE -I. -DTESTS_DIR="\"$root/tests\"" -ffp-contract=off -fno-strict-aliasing \
    -fno-sanitize-recover=all -fsanitize=fuzzer,address,undefined "${sources[@]}" -o "$build/fuzz_scenario" $flags -lm
cd "$build"
exec ./fuzz_scenario -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 -max_len=4096 -print_final_stats=1 \
    -dict="$root/tests/fuzz/scenario.dict" -verbosity=1 corpus "$root/tests/rejects/json" "$root/tests/rejects/scenario"
