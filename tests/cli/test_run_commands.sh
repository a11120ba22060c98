#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run and plan: the table, the JSON shape, expectations, exit codes.
. "$SOURCE_DIR/tests/cli/library.sh"
run() { "$VQSIM" run "$here/tiny.json" "$@"; }

# The base configuration without its axes, with its cases; nothing is kept.
expect_code 0 run
expect_out "tiny: Does the program keep what it computes?"
expect_out "case small: 3 replications, 95 % intervals"
expect_out "case large"
[ "$(grep -c '^tx_pps' out)" -eq 2 ] || fail "one row a case: $(grep -c '^tx_pps' out)"
[ ! -s err ] || fail "stderr: $(cat err)"
[ -z "$(ls ./*.db 2>/dev/null)" ] || fail "run kept a store nobody asked for"
expect_code 0 run --all
expect_out "unreclaimed"

expect_code 0 run --json
expect_json '.scenario == "tiny" and .warnings == []'
expect_json '[.variants[] | [.case, .name]] == [["small", "none"], ["small", "cache"], ["large", "none"], ["large", "cache"]]'
expect_json '[.variants[].metrics | keys] | unique | length == 1'
expect_json '.variants[1].metrics.tx_pps | keys == ["half_width", "level", "mean", "n", "unit"]'
expect_json '.variants[1].vs_first.tx_pps.ratio > 1'

# One replication has no interval: n/a, null, an empty cell, NULL; never NaN, never 0.
expect_code 0 run --set replications=1 --store one.db
expect_out "1 replication: no interval (n/a)"
grep -q '±' out && fail "an interval of one replication"
expect_code 0 run --set replications=1 --json
expect_json '.variants[0].metrics.tx_pps | .half_width == null and .n == 1'
expect_code 0 run --set replications=1 --json --set guest.tx_ring.indirect=false
grep -qiE 'nan|inf[^o]' out && fail "NaN in JSON"
expect_code 0 "$VQSIM" export one.db
grep -qi nan out && fail "NaN in CSV"

# Expectations.
expect_code 0 run --expect
expect_out "pass  hung == 0"
sed 's/"hung == 0"/"hung == 0", "variant=cache: tx_pps < 1", "guest.tx_ring.size=64: tx_pps > 1"/' "$here/tiny.json" >fails.json
expect_code 1 "$VQSIM" run fails.json --expect
expect_out "FAIL     variant=cache: tx_pps < 1"
expect_out "not run  guest.tx_ring.size=64: tx_pps > 1"
expect_code 0 "$VQSIM" run fails.json
expect_code 1 "$VQSIM" run fails.json --expect --json
expect_json '[.expectations[].ok] == [true, false, null, true]'
expect_code 1 "$VQSIM" sweep fails.json --expect --store fails.db
expect_out "FAIL  variant=cache: tx_pps < 1"

# Bad input: exit 3, nothing on stdout, no store.
sed 's/"seed"/"sede"/' "$here/tiny.json" >typo.json
for command in run sweep plan; do
  expect_code 3 "$VQSIM" $command typo.json
  expect_no_output
  expect_err "typo.json:"
  expect_code 3 "$VQSIM" $command missing.json
  expect_no_output
  expect_code 3 "$VQSIM" $command "$here/tiny.json" --set warmup=5
  expect_no_output
done
[ ! -e tiny.db ] || fail "a refused sweep left a store"

# Bad usage: exit 2.
for line in "run" "run a b" "run --json" "sweep $here/tiny.json -j0" "sweep $here/tiny.json -j 1x" "sweep $here/tiny.json --bogus" \
  "sweep $here/tiny.json --store" "sweep $here/tiny.json --progress=loud" "sweep $here/tiny.json --max-points 0" \
  "run $here/tiny.json --vary guest.tx_ring.size=64..512*2" "plan $here/tiny.json --store x" "export" "list a b" "run $here/tiny.json --json=1"; do
  expect_code 2 "$VQSIM" $line
  expect_err "vqsim: error: "
  expect_no_output
done

# plan
expect_code 0 "$VQSIM" plan "$here/tiny.json"
expect_out "axis guest.tx_ring.size  5 values, 64 .. 1024"
grep -qE '^runs +60$' out || fail "plan: $(cat out)"
expect_code 0 "$VQSIM" plan "$here/tiny.json" --json --set stop.relative_precision=0.01 --set stop.most_replications=10
expect_json '.points == 10 and .variants == 2 and .runs == 60 and .most_runs == 200 and .estimate_s > 0'
expect_code 3 "$VQSIM" plan "$here/tiny.json" --max-points 59
expect_err "limit 59"
expect_code 3 "$VQSIM" sweep "$here/tiny.json" --max-points 59
[ ! -e tiny.db ] || fail "a refused sweep left a store"
expect_code 3 "$VQSIM" plan "$here/tiny.json" --vary seed=1..1000000000 --vary guest.virtio_desc_cache_thr=0..19
expect_no_output
finish
