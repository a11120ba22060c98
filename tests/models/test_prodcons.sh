# SPDX-License-Identifier: GPL-3.0-or-later
# prodcons_replay agrees with all 200 rows, reads gzip, and refuses what is not such a table.
set -u
replay="$BUILD_DIR/tests/prodcons_replay"
shipped="$SOURCE_DIR/tests/models/data/prodcons.csv"
dir=$(mktemp -d)
data="$dir/table.csv"
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

expect every_row_agrees 0 "200 rows, 0 mismatches" "$shipped"

tr -d '\r' <"$shipped" >"$data"
expect unix_line_ends_are_read 0 "200 rows, 0 mismatches" "$data"

gzip -c "$data" >"$dir/table.csv.gz"
expect gzip_is_read 0 "200 rows, 0 mismatches" "$dir/table.csv.gz"

# A row with another's time, one with one kick too many, one with one call too many.
awk -F, -v OFS=, 'NR == 3 { $12 *= 1.003 } NR == 5 { $13 += 0.003 } NR == 9 { $14 += 0.003 } 1' \
    "$data" >"$dir/other.csv"
expect wrong_rows_are_counted 1 "200 rows, 3 mismatches" "$dir/other.csv"
"$replay" "$dir/other.csv" | grep -q "other.csv:3: mismatch, split ring: ns_per_packet" ||
    { echo "FAIL a mismatching row is not printed"; failures=$((failures + 1)); }

awk -F, -v OFS=, '{ for (i = NF; i > 1; i--) printf "%s,", $i; print $1 }' "$data" >"$dir/turned.csv"
expect columns_go_by_name 0 "200 rows, 0 mismatches" "$dir/turned.csv"

sed 's/$/\r/' "$data" >"$dir/crlf.csv"
expect dos_line_ends_are_read 0 "200 rows, 0 mismatches" "$dir/crlf.csv"

: >"$dir/empty.csv"
expect empty_file 3 "$dir/empty.csv:1: error: empty file" "$dir/empty.csv"
head -n 1 "$data" >"$dir/header.csv"
expect header_alone 3 "$dir/header.csv:1: error: no row" "$dir/header.csv"
sed '1s/kp,/kq,/' "$data" >"$dir/missing.csv"
expect missing_column 3 "$dir/missing.csv:1: error: no column 'kp'" "$dir/missing.csv"
sed '1s/kp,kc/kp,kp/' "$data" >"$dir/twice.csv"
expect column_twice 3 "$dir/twice.csv:1: error: two columns are named 'kp'" "$dir/twice.csv"
sed '4s/,[0-9]*,/,fast,/' "$data" >"$dir/word.csv"
expect not_a_number 3 "$dir/word.csv:4: error: wp_ns is not a number: 'fast'" "$dir/word.csv"
sed '4s/,[0-9]*,/,nan,/' "$data" >"$dir/nan.csv"
expect nan_is_not_a_number 3 "$dir/nan.csv:4: error: wp_ns is not a number: 'nan'" "$dir/nan.csv"
sed '4s/,[0-9]*,/,,/' "$data" >"$dir/blank.csv"
expect blank_is_not_a_number 3 "$dir/blank.csv:4: error: wp_ns is not a number: ''" "$dir/blank.csv"
sed '4s/,[0-9]*,/,-1,/' "$data" >"$dir/negative.csv"
expect negative_time 3 "$dir/negative.csv:4: error: wp_ns must be a number, 0..1e+09: '-1'" \
    "$dir/negative.csv"
sed '6s/^[0-9]*,/1.5,/' "$data" >"$dir/ring.csv"
expect ring_is_whole 3 "$dir/ring.csv:6: error: ring must be a whole number, 2..32768: '1.5'" \
    "$dir/ring.csv"
sed '7s/,[^,]*$//' "$data" >"$dir/short.csv"
expect short_row 3 "$dir/short.csv:7: error: the row has not as many fields as the header" \
    "$dir/short.csv"
head -c 2000 "$dir/table.csv.gz" >"$dir/cut.csv.gz"
"$replay" "$dir/cut.csv.gz" >"$dir/out" 2>&1
code=$?
[ "$code" -eq 3 ] || { echo "FAIL a cut gzip file exits with $code"; failures=$((failures + 1)); }
"$replay" "$dir/none.csv" >"$dir/out" 2>&1
code=$?
[ "$code" -eq 3 ] || { echo "FAIL a missing file exits with $code"; failures=$((failures + 1)); }
"$replay" >"$dir/out" 2>&1
code=$?
[ "$code" -eq 2 ] || { echo "FAIL no file exits with $code"; failures=$((failures + 1)); }

exit $((failures > 0))
