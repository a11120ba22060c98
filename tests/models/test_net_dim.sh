# SPDX-License-Identifier: GPL-3.0-or-later
# net_dim_replay agrees with every call of the real library that was recorded, and counts rows that differ.
set -u
replay="$BUILD_DIR/tests/net_dim_replay"
data="$SOURCE_DIR/tests/models/vectors/net_dim"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

# expect NAME EXIT TEXT FILE: the exit code, and TEXT as the last line of both outputs together
expect() {
    local out code
    out=$("$replay" "$4" 2>&1)
    code=$?
    if [ "$code" -ne "$2" ] || [ "$(printf '%s\n' "$out" | tail -n 1)" != "$3" ]; then
        printf 'FAIL %s: exit %s, not %s; last line not "%s" in:\n%s\n' "$1" "$code" "$2" "$3" "$out"
        failures=$((failures + 1))
    fi
}

expect random_sequences_agree 0 "102400 rows, 0 mismatches" "$data/random.csv.gz"
expect corner_cases_agree 0 "605 rows, 0 mismatches" "$data/corner.csv"

# One row with another profile, one with a tired of its own.
awk -F, -v OFS=, 'NR == 4 { $11 += 1 } NR == 6 { $14 += 1 } 1' "$data/corner.csv" >"$dir/other.csv"
expect rows_that_differ_are_counted 1 "605 rows, 2 mismatches" "$dir/other.csv"
# Work that is never done leaves the instance applying.
sed '6,$d' "$data/corner.csv" >"$dir/few.csv"
expect a_few_rows_agree 0 "4 rows, 0 mismatches" "$dir/few.csv"
sed '1s/,tired,/,weary,/' "$data/corner.csv" >"$dir/missing.csv"
expect missing_column 3 "$dir/missing.csv:1: error: no column 'tired'" "$dir/missing.csv"
sed '3s/,5020,/,5e3,/;3s/,5010,/,5e3,/' "$data/corner.csv" >"$dir/real.csv"
expect counters_are_whole 3 "$dir/real.csv:3: error: event_ctr is not a number: '5e3'" "$dir/real.csv"
sed '2s/,rx,/,up,/' "$data/corner.csv" >"$dir/direction.csv"
expect direction_is_known 3 \
    "$dir/direction.csv:2: error: dir must be rx or tx, cq_mode 0 or 1: 'up'" "$dir/direction.csv"
"$replay" >"$dir/out" 2>&1
code=$?
[ "$code" -eq 2 ] || { echo "FAIL no file exits with $code"; failures=$((failures + 1)); }

exit $((failures > 0))
