#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes the readers of what users hand over, SECONDS each (default 60), on one core, from the files of tests/rejects:
#   tests/fuzz/run.sh [SECONDS [TARGET...]]     targets: scenario, pcap, pcapng, csv, ftrace (default: all)
# Exit 0: no finding. The input of a finding stays in build/fuzz.
set -eu
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- scenario pcap pcapng csv ftrace
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD_DIR:-$root/build}/fuzz
mkdir -p "$build"
cd "$root"

compile() { # NAME FLAGS SOURCE...
    local name=$1 flags=$2
    shift 2
    # shellcheck disable=SC2086
    clang -std=c17 -g -O1 -D_GNU_SOURCE -I. -DTESTS_DIR="\"$root/tests\"" -ffp-contract=off -fno-strict-aliasing \
        -fno-sanitize-recover=all -fsanitize=fuzzer,address,undefined "$@" -o "$build/$name" $flags -lm
}

scenario() {
    local sources=(sim/engine/*.c models/*.c sim/study/trace*.c) part
    for part in assertion axis condition config document file_set json_scan json_text layer param_tree range scenario \
        scenario_build scenario_case scenario_check scenario_effect scenario_expect scenario_probe scenario_read scenario_sweep \
        scenario_trace sha256 show suggest value value_dist; do
        sources+=("sim/study/$part.c")
    done
    compile fuzz_scenario "$(pkg-config --cflags --libs gsl libcjson libpcap zlib libmd)" tests/fuzz/fuzz_scenario.c "${sources[@]}"
    fuzz fuzz_scenario scenario -max_len=4096 -timeout=5 "$root/tests/rejects/json" "$root/tests/rejects/scenario"
}

capture() { # FORMAT CORPUS
    local sources=() source
    for source in sim/study/trace*.c; do
        case $source in */trace_config.c | */trace_set.c) ;; *) sources+=("$source") ;; esac # of scenarios
    done
    if [ ! -e "$build/fuzz_trace.made" ]; then
        compile fuzz_trace "$(pkg-config --cflags --libs libpcap zlib libmd)" tests/fuzz/fuzz_trace.c sim/engine/error.c \
            "${sources[@]}" sim/study/sha256.c
        touch "$build/fuzz_trace.made"
    fi
    FUZZ_FORMAT=$1 fuzz fuzz_trace "$1" -max_len=8192 -timeout=5 "$root/tests/rejects/$2"
}

fuzz() { # PROGRAM CORPUS OPTION... SEEDS...
    local program=$1 corpus=$2 dictionary=()
    shift 2
    mkdir -p "$build/corpus-$corpus"
    [ ! -e "tests/fuzz/$corpus.dict" ] || dictionary=("-dict=$root/tests/fuzz/$corpus.dict")
    (cd "$build" && "./$program" "${dictionary[@]}" -max_total_time="$seconds" -rss_limit_mb=1024 -print_final_stats=1 \
        -verbosity=1 "corpus-$corpus" "$@")
}

rm -f "$build/fuzz_trace.made"
for target; do
    echo "fuzzing $target"
    case $target in
    scenario) scenario ;;
    pcap | pcapng) capture "$target" pcap ;;
    csv | ftrace) capture "$target" "$target" ;;
    *) echo "no target $target" >&2 && exit 2 ;;
    esac
done
