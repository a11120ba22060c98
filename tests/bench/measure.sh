# SPDX-License-Identifier: GPL-3.0-or-later
# Functions to measure one run of a scenario of this folder; to be sourced. They need VQSIM,
# SOURCE_DIR and BUILD_DIR.
bench=$SOURCE_DIR/tests/bench

# run SCENARIO MS [COMMAND...]: runs it for so many milliseconds, under COMMAND if there is one.
run() {
    local scenario=$1 ms=$2
    shift 2
    "$@" "$VQSIM" run "$bench/$scenario.json" --set "duration=${ms}ms" -j 1 --json
}

# packets SCENARIO MS: delivered in the measured window.
packets() {
    run "$1" "$2" | sed -n 's/.*"tx_pps": {"mean": \([-+.e0-9]*\).*/\1/p' | head -1 |
        awk -v ms="$2" '{printf "%.0f\n", $1 * ms / 1000}'
}

# instructions PROGRAM [ARGUMENT...]: of user space, as callgrind counts them. The program is copied
# without its debugging information, which callgrind cannot read from every compiler.
instructions() {
    local program=$1 copy
    shift
    copy=$(mktemp)
    strip -o "$copy" "$program"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$copy" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
    rm -f "$copy"
}

# per_packet SCENARIO SHORT_MS LONG_MS: what one packet more costs; start-up and the warm-up cancel.
per_packet() {
    local short long
    short="$(run "$1" "$2" instructions) $(packets "$1" "$2")"
    long="$(run "$1" "$3" instructions) $(packets "$1" "$3")"
    echo "$short $long" | awk '{printf "%.0f\n", ($3 - $1) / ($4 - $2)}'
}

# peak SCENARIO MS: resident memory in KiB and seconds of CPU time.
peak() {
    run "$1" "$2" "$BUILD_DIR/tests/bench_child"
}

# median: of the numbers on stdin.
median() {
    sort -n | awk '{x[NR] = $1} END {print x[int((NR + 1) / 2)]}'
}

# peak_heap SCENARIO MS: the most bytes the program held at once, as massif counts them: the same on
# every machine, while resident memory moves by a tenth with the pages of libraries that are mapped.
peak_heap() {
    local out
    out=$(mktemp)
    run "$1" "$2" valgrind --tool=massif --massif-out-file="$out" >/dev/null 2>&1
    sed -n 's/^mem_heap_B=//p' "$out" | sort -n | tail -n 1
    rm -f "$out"
}
