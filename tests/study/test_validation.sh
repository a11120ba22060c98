#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Published against simulated: docs/validation.md shows the figures of now (to the noise of its replications), and its
# list of failing rows is the set of rows that fail, in both directions. To write the table again:
#   vqsim validate --json | jq -r -f tests/study/validation.jq
. "${SOURCE_DIR:?}/tests/cli/library.sh"

page=$SOURCE_DIR/docs/validation.md
between() { awk -v from="<!-- $1 -->" -v to="<!-- end $1 -->" '$0 == to { on = 0 } on; $0 == from { on = 1 }' "$page"; }

"$VQSIM" validate --json >out 2>err
code=$?
expect_json '.ok | type == "boolean"'
expect_json '.rows | length >= 20'
expect_json '[.rows[] | has("table", "cell", "unit", "role", "informed", "published", "simulated", "half_width",
  "error_percent", "low", "high", "ok", "note")] | all'
expect_json '[.rows[] | .role] - ["calibrated", "held-out", "directional"] == []'
expect_json '.ok == ([.rows[] | select(.ok != null) | .ok] | all)'
expect_json '[.rows[] | (.low == null) == (.ok == null) and (.low == null) == (.high == null)] | all'
expect_json '[.rows[] | select(.ok != null) | .ok == (.simulated >= .low and .simulated <= .high)] | all'
expect_json '[.rows[] | select(.cell | test("fitted on kmem_cache instead")) | .note | test("write_alloc came to")] == [true]'
[ "$code" = "$(jq 'if .ok then 0 else 1 end' out)" ] || fail "exit $code does not go with .ok"

jq -r '.rows[] | select(.ok == false) | "\(.table): \(.cell)"' out | sort >fails.now
between failing | sed -n 's/^    //p' | grep -v '^none$' | sort >fails.page
diff fails.page fails.now >diff.txt || fail "rows that fail (>) are not those of docs/validation.md (<): $(cat diff.txt)"
between rows | grep -v '^| *|\|^|-' >table.page
jq -r -f "$SOURCE_DIR/tests/study/validation.jq" out >table.now
# All but the simulated column to the letter; that one within five half widths, and the last digit or two.
without() { awk -F ' *[|] *' '{ print $2, $3, $4, $6, $7, $8 }' "$1"; }
diff <(without table.page) <(without table.now) >diff.txt || fail "docs/validation.md has other rows: $(cat diff.txt)"
paste -d '|' table.page table.now | awk -F ' *[|] *' '{
    split($5, page, " ± "); split($14, now, " ± ")
    off = page[1] - now[1]; room = 5 * now[2] + ($6 == "pps" ? 1000 : $6 == "ns" ? 0.2 : 0.05)
    if (off > room || -off > room) print $3 ": " $5 " there, " $14 " now" }' >diff.txt
[ ! -s diff.txt ] || fail "docs/validation.md does not show the figures of now: $(cat diff.txt)"

# A small bed and a table of its own: a row outside its limits, and what cannot be read.
cat >bed.json <<'J'
{"version": 1, "name": "b", "kernel": "5.15", "seed": 1, "replications": 2, "duration": "1ms", "warmup": "200us",
 "guest": {"path": "xsk"}, "workload": {"type": "saturating", "size": 64},
 "variants": {"none": {"guest.virtio_desc_cache_thr": 0}, "cache": {"guest.virtio_desc_cache_thr": 4}}}
J
printf 'run,p\n1,2681825\n2,2681000\n' >rates.csv
table() { # ACCEPTED
  echo '{"table": "t", "bed": "bed.json", "rates": {"file": "rates.csv", "columns": {"none": "p"}},
    "cells": [{"cell": "pps", "measure": "rate", "variant": "none", "role": "held-out", '"$1"'},
      {"cell": "seen", "measure": "rate", "variant": "none", "role": "directional"}]}' >t.json
}
table '"accepted_percent": 90'
expect_code 0 "$VQSIM" validate t.json
expect_out "all rows with a limit are within it"
table '"accepted": [1, 2]'
expect_code 1 "$VQSIM" validate t.json
expect_out "FAIL  pps"
expect_code 1 "$VQSIM" validate ./t.json --json -j 1
expect_json '.ok == false and .rows[0].ok == false and .rows[1].ok == null and .rows[1].low == null'
expect_json '.rows[0].published == 2681412.5 and .rows[0].half_width > 0'
table '"accepted": [2, 1]'
expect_code 3 "$VQSIM" validate ./t.json --json
expect_json '.ok == false and .rows == []'
expect_err "t.json:2:"
expect_err "[low, high] is needed"
rm rates.csv
expect_code 3 "$VQSIM" validate ./t.json
expect_code 3 "$VQSIM" validate no-such-table --json
expect_json '.ok == false'
expect_code 2 "$VQSIM" validate --hide cache
expect_code 2 "$VQSIM" validate -j 0
expect_code 2 "$VQSIM" validate a b
finish
