#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Published against simulated: docs/validation.md shows the figures of now (to the noise of their replications), table by
# table, and its list of failing rows is the set of rows that fail, in both directions. To write a block again:
#   vqsim validate --json | jq -r --arg table TABLE -f tests/study/validation.jq
. "${SOURCE_DIR:?}/tests/cli/library.sh"

page=$SOURCE_DIR/docs/validation.md
between() { awk -v from="<!-- $1 -->" -v to="<!-- end $1 -->" '$0 == to { on = 0 } on; $0 == from { on = 1 }' "$page"; }

"$VQSIM" validate --json >out 2>err
code=$?
expect_json '.ok | type == "boolean"'
expect_json '.rows | length >= 20'
expect_json '[.rows[] | has("table", "cell", "unit", "role", "informed", "published", "simulated", "half_width",
  "error_percent", "low", "high", "ok", "note")] | all'
expect_json '([.rows[].table] | unique) == [.tables[].table] and (.tables | length) >= 2'
expect_json '[.rows[] | (.null == null) or (.skill == null) or ((.skill < 0) ==
  (((.simulated - .published) | fabs) > ((.null - .published) | fabs)))] | all'
expect_json '[.tables[] as $t | [.rows[] | select(.table == $t.table)] | length == $t.calibrated + $t.held_out + $t.directional] | all'
expect_json '[.rows[] | .role] - ["calibrated", "held-out", "directional"] == []'
expect_json '.ok == ([.rows[] | select(.ok != null) | .ok] | all)'
expect_json '[.rows[] | (.low == null) == (.ok == null) and (.low == null) == (.high == null)] | all'
expect_json '[.rows[] | select(.ok != null) | .ok == (.simulated >= .low and .simulated <= .high)] | all'
expect_json '[.rows[] | select(.cell | test("fitted on kmem_cache instead")) | .note | test("write_alloc came to")] == [true]'
expect_json '[.rows[] | select(.table == "zerocopy-callback" and (.cell | startswith("old"))) | .note | test("96 of 96 worlds within")] | length == 9 and all'
[ "$code" = "$(jq 'if .ok then 0 else 1 end' out)" ] || fail "exit $code does not go with .ok"

jq -r '.rows[] | select(.ok == false) | "\(.table): \(.cell)"' out | sort >fails.now
between failing | sed -n 's/^    //p' | grep -v '^none$' | sort >fails.page
diff fails.page fails.now >diff.txt || fail "rows that fail (>) are not those of docs/validation.md (<): $(cat diff.txt)"

# All but the simulated column and what follows from it to the letter. That one within five half widths and the last digit or two,
# a skill within 0.05 and what five half widths can move it, the means of errors within 0.1.
letters() { awk -F ' *[|] *' '/^[|]/ { print $2, $3, $4, $6, $7, $8, $9; next } { gsub(/[0-9]+[.][0-9]+/, "x"); print }' "$1"; }
numbers() { awk '
  function off(what, a, b, room) { if (a - b > room || b - a > room) print what ": " a " there, " b " now" }
  { there = $0; getline now <NOW }
  /^[|]/ { split(there, a, / *[|] */); split(now, b, / *[|] */); split(a[5], x, " ± "); split(b[5], y, " ± ")
    room = 5 * y[2] + (a[6] == "pps" ? 1000 : a[6] == "ns" ? 0.2 : a[6] == "ratio" ? 0.005 : 0.05)
    off(a[3], x[1], y[1], room)
    size = b[9] - b[4] < 0 ? b[4] - b[9] : b[9] - b[4]
    if (b[10] ~ /[0-9]/) off(a[3] ": skill", a[10], b[10], 0.05 + (size > 0 ? room / size : 0)); next }
  { n = split(there, a, /[^0-9.]+/); split(now, b, /[^0-9.]+/); for (i = 1; i <= n; i++) off("foot", a[i], b[i], 0.1 + b[i] / 50) }
' NOW="$2" "$1"; }
for table in $(jq -r '.tables[].table' out); do
  between "rows $table" | grep . >table.page
  jq -r --arg table "$table" -f "$SOURCE_DIR/tests/study/validation.jq" out | grep . >table.now
  diff <(letters table.page) <(letters table.now) >diff.txt || fail "docs/validation.md has other rows of $table: $(cat diff.txt)"
  numbers table.page table.now >diff.txt
  [ ! -s diff.txt ] || fail "docs/validation.md does not show the figures of now for $table: $(cat diff.txt)"
done
[ "$(grep '^<!-- rows ' "$page" | sort)" = "$(jq -r '.tables[] | "<!-- rows \(.table) -->"' out | sort)" ] ||
  fail "docs/validation.md has blocks of other tables than validate"

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

# A table of metrics: points of a scenario, one against another, figures from a file, a mean, a null.
cat >loop.json <<'J'
{"version": 1, "name": "l", "kernel": "6.1", "seed": 1, "replications": 3, "duration": "1ms", "warmup": "200us",
 "workload": {"type": "saturating", "size": 64}, "cases": {"a": {}, "b": {"guest.stack.packet": "3us"}},
 "sweep": {"guest.tx_ring.event_idx": [false, true]}, "variants": {"none": {}, "slow": {"guest.stack.packet": "2500ns"}}}
J
printf 'id,old,new\nA,200,150\nB,100,~1\n' >single.csv
metrics() { # CELLS
  echo '{"table": "m", "measured": "single.csv", "fitted": [{"parameter": "costs.notify.doorbell", "to": "A"}], "cells": ['"$1"']}' >m.json
}
at() { echo '"scenario": "loop.json", "at": {"case": "'"$1"'", "guest.tx_ring.event_idx": true}'; }
metrics '{"cell": "one", "measure": "metric", '"$(at a)"', "variant": "none", "metric": "tx_pps", "role": "held-out",
    "published": {"row": "A", "column": "old", "times": 1000}, "null": {"row": "B", "column": "old", "times": 1000}, "accepted_percent": 99999},
  {"cell": "over", "measure": "metric", '"$(at a)"', "variant": "slow", "metric": "tx_pps", "role": "directional",
    "against": {"variant": "none", "as": "percent"}, "published": {"row": "A", "column": "new", "over": "old"}, "accepted": [-100, 0]},
  {"cell": "ratio", "measure": "metric", '"$(at a)"', "variant": "slow", "metric": "tx_pps", "role": "directional",
    "against": {"at": {"case": "b", "guest.tx_ring.event_idx": true}, "variant": "none", "as": "ratio"}, "published": 1, "accepted": [0.5, 2]},
  {"cell": "less", "measure": "metric", '"$(at a)"', "variant": "slow", "metric": "hung", "role": "calibrated",
    "against": {"variant": "none", "as": "difference"}, "published": {"row": "A", "column": "new", "minus": "old"}, "accepted": [0, 0]},
  {"cell": "two", "measure": "metric", '"$(at b)"', "variant": "none", "metric": "tx_pps", "role": "held-out", "published": 300e3, "null": 1e5},
  {"cell": "mean", "measure": "mean", "of": ["one", "two"], "role": "held-out"}'
expect_code 0 "$VQSIM" validate m.json --json
expect_json '[.rows[].published] == [200000, -25, 1, -50, 300000, 250000]'
expect_json '[.rows[].unit] == ["pps", "percent", "ratio", "0/1", "pps", "pps"]'
expect_json '[.rows[].null] == [100000, null, null, null, 100000, 100000]'
expect_json '.rows[5].simulated as $m | (.rows[0].simulated + .rows[4].simulated) / 2 - $m | fabs < 1e-6'
expect_json '.rows[1].simulated < 0 and .rows[3].simulated == 0 and .rows[2].simulated > 1 and .rows[2].half_width > 0'
expect_json '.rows[0] | .skill - (1 - ((.simulated - .published) | fabs) / 1e5) | fabs < 1e-9'
expect_json '.tables == [{"table": "m", "free_parameters": 1, "calibrated": 1, "held_out": 3, "informed": 0, "directional": 2,
  "held_out_error_percent": .tables[0].held_out_error_percent, "held_out_error_points": .tables[0].held_out_error_points}]'
expect_json '.tables[0].held_out_error_percent | .cells == 2 and .null_cells == 2 and .mean == .mean_beside_null'
expect_code 0 "$VQSIM" validate ./m.json
expect_out "1 free parameters; cells: 1 calibrated, 3 held-out (0 informed), 2 directional"
expect_code 0 "$VQSIM" validate ./m.json --plot m.svg
grep -q '</svg>' m.svg && grep -q 'outside' m.svg && grep -q '^unit\[3\]' m.gp || fail "no picture of published against simulated"
gnuplot -e "out='again.svg'" m.gp 2>again.txt && cmp -s m.svg again.svg || fail "m.gp does not draw m.svg again: $(cat again.txt)"
expect_code 2 "$VQSIM" validate ./m.json --plot m.png
expect_err "a picture is called NAME.svg"
expect_code 4 "$VQSIM" validate ./m.json --plot no/such/folder/m.svg
wrong() { # MESSAGE CELL
  metrics "$2"
  expect_code 3 "$VQSIM" validate m.json
  expect_err "$1"
}
cell() { echo '{"cell": "x", "measure": "metric", "role": "held-out", "published": 1, '"$1"'}'; }
wrong "has 2 points, a cell is of one" "$(cell '"scenario": "loop.json", "at": {"case": "a"}, "variant": "none", "metric": "tx_pps"')"
wrong "has no variant 'base'" "$(cell "$(at a)"', "metric": "tx_pps"')"
wrong "the name of a metric is needed" "$(cell "$(at a)"', "metric": "tx_ppm"')"
wrong "ratio, percent or difference is needed" "$(cell "$(at a)"', "metric": "tx_pps", "against": {"variant": "none"}')"
wrong "no case is named c" "$(cell "$(at c)"', "metric": "tx_pps"')"
wrong "single.csv:3:7: error: a number is needed in column 'new'" "$(cell "$(at a)"', "metric": "tx_pps"' | sed 's/"published": 1/"published": {"row": "B", "column": "new"}/')"
wrong "no row 'C'" "$(cell "$(at a)"', "metric": "tx_pps"' | sed 's/"published": 1/"published": {"row": "C", "column": "new"}/')"
wrong "an earlier cell that is a metric is needed" '{"cell": "x", "measure": "mean", "of": ["y"], "role": "held-out"}'
rm rates.csv
expect_code 3 "$VQSIM" validate ./t.json
expect_code 3 "$VQSIM" validate no-such-table --json
expect_json '.ok == false'
expect_code 2 "$VQSIM" validate --hide cache
expect_code 2 "$VQSIM" validate -j 0
expect_code 2 "$VQSIM" validate a b
finish
