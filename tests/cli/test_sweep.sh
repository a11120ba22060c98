#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep into a store: what it prints, and that it resumes by itself whatever happens to it.
. "$SOURCE_DIR/tests/cli/library.sh"
sweep() { "$VQSIM" sweep "$here/tiny.json" --no-probes "$@"; }
export_of() { "$VQSIM" export "$1" --json; }
runs=60

# The undisturbed sweep.
expect_code 0 sweep --store whole.db -j1
expect_err "computed $runs, reused 0"
expect_out "case small"
expect_out "guest_ns_per_packet"
export_of whole.db >whole.json
"$VQSIM" export whole.db >whole.csv
[ "$(wc -l <whole.csv)" -eq $((runs + 1)) ] || fail "CSV has $(wc -l <whole.csv) lines"
ls whole.db-* 2>/dev/null && fail "files are left beside the store"

# Again: nothing to do. The name of the store comes from the scenario.
expect_code 0 sweep --store whole.db
expect_err "computed 0, reused $runs"
expect_code 0 sweep -j2
[ -f tiny.db ] || fail "no tiny.db"
export_of tiny.db >two.json
same whole.json two.json

# A case at a time, the last one first: the same scenario, and the same bytes.
expect_code 0 sweep --store cases.db --case large --expect
expect_err "computed $((runs / 2)), reused 0"
grep -q "case small" out && fail "a case that was not asked for"
expect_code 0 "$VQSIM" plan "$here/tiny.json" --case large --json
expect_json '.points == 5'
expect_code 0 sweep --store cases.db
expect_err "computed $((runs / 2)), reused $((runs / 2))"
export_of cases.db >cases.json
same whole.json cases.json
expect_code 0 "$VQSIM" list cases.db --json
expect_json '.scenarios | length == 1'
expect_code 3 sweep --store cases.db --case larg
expect_err "--case: no case is named larg; did you mean large?"

# JSON on stdout, nothing else; exact seed in the store.
expect_code 0 sweep --store whole.db --json --expect
expect_json '.scenario == "tiny" and (.points | length) == 10 and .warnings == []'
expect_json '.points[0].params == {"case": "small", "guest.tx_ring.size": 64}'
expect_json '.points[9].variants[1].name == "cache"'
expect_json '.points[0].variants[1].metrics.tx_pps | .mean > 1e6 and .half_width >= 0 and .n == 3 and .level == 0.95 and .unit == "packets/s"'
expect_json '.points[0].variants[1].vs_first.tx_pps | .ratio > 1 and .half_width >= 0'
expect_json '.points[0].variants[1].vs_first.hung.ratio == null'
expect_json '[.expectations[].ok] == [true, true]'
grep -q '"seed": 9007199254740993,' whole.json || fail "the seed lost digits"
grep -qiE 'nan|inf[^o]' whole.json && fail "NaN or infinity in JSON"

# Killed at ten random moments, then finished: the same bytes.
for i in 1 2 3 4 5 6 7 8 9 10; do
  "$VQSIM" sweep "$here/tiny.json" --no-probes --store killed.db -j2 >/dev/null 2>&1 &
  pid=$!
  sleep "0.0$((RANDOM % 90 + 10))"
  kill -KILL $pid
  wait $pid 2>/dev/null
done
expect_code 0 sweep --store killed.db -j2
export_of killed.db >killed.json
same whole.json killed.json
"$VQSIM" export killed.db >killed.csv
same whole.csv killed.csv

# The probes of the answer are runs as any others: the same bytes for any -j, after kills, and when
# they come later; and they are none of the points.
jq 'del(.cases) | .sweep = {"guest.tx_ring.size": [64]} | .duration = "1ms"' "$here/tiny.json" >one.json
expect_code 0 "$VQSIM" sweep one.json --store one.db -j1
expect_err "fresh streams: computed 20, reused 0"
expect_err "costs: computed "
"$VQSIM" export one.db --json >one.export
[ "$("$VQSIM" export one.db | grep -c 'tiny,none,\|tiny,cache,')" -eq 6 ] || fail "probes among the points"
for i in 1 2 3 4 5; do
  "$VQSIM" sweep one.json --store again.db -j2 >/dev/null 2>&1 &
  pid=$!
  sleep "0.$((RANDOM % 30 + 10))"
  kill -KILL $pid
  wait $pid 2>/dev/null
done
expect_code 0 "$VQSIM" sweep one.json --store again.db --no-probes
expect_code 0 "$VQSIM" sweep one.json --store again.db -j2
"$VQSIM" export again.db --json >again.export
same one.export again.export
expect_code 0 "$VQSIM" rerun one.db --all

# Two processes into one store: nothing is lost, nothing is there twice.
sweep --store shared.db -j1 >/dev/null 2>&1 &
first=$!
sweep --store shared.db -j1 >/dev/null 2>&1 || fail "the second of two sweeps failed"
wait $first || fail "the first of two sweeps failed"
export_of shared.db >shared.json
same whole.json shared.json

# SIGINT and SIGTERM keep what is finished. (A shell starts background jobs deaf to SIGINT.)
for signal in INT TERM; do
  env --default-signal=INT "$VQSIM" sweep "$here/tiny.json" --set replications=10000 --store stopped-$signal.db -j2 >out 2>err &
  pid=$!
  for try in $(seq 100); do
    sleep 0.1
    [ "$(sqlite3 stopped-$signal.db "SELECT count(*) FROM run" 2>/dev/null || echo 0)" -ge 5 ] && break
  done
  kill -$signal $pid
  wait $pid
  code=$?
  case $signal in
    INT) [ $code -eq 130 ] || fail "SIGINT: exit $code" ;;
    TERM) [ $code -eq 143 ] || fail "SIGTERM: exit $code" ;;
  esac
  expect_no_output
  expect_err "interrupted"
  [ "$(sqlite3 stopped-$signal.db 'SELECT count(*) FROM run')" -ge 5 ] || fail "finished runs are lost"
  [ "$(sqlite3 stopped-$signal.db 'PRAGMA integrity_check')" = ok ] || fail "the store is damaged"
done

# Runs that would take hours are abandoned.
"$VQSIM" sweep "$here/tiny.json" --set duration=100000s --store hours.db -j2 >out 2>err &
pid=$!
for try in $(seq 100); do
  sleep 0.1
  [ "$(sqlite3 hours.db 'SELECT count(*) FROM config' 2>/dev/null || echo 0)" -eq 20 ] && break
done
sleep 0.3
begin=$SECONDS
kill -TERM $pid
wait $pid
[ $? -eq 143 ] || fail "a long run: exit status"
[ $((SECONDS - begin)) -le 5 ] || fail "a long run held the program for $((SECONDS - begin)) s"
expect_err "computed 0, reused 0; interrupted"

# More of the same scenario: the runs that are there are used.
expect_code 0 sweep --store grown.db --set replications=2
expect_code 0 sweep --store grown.db
expect_err "computed 20, reused 40"
export_of grown.db >grown.json
same whole.json grown.json
expect_code 0 sweep --store vary.db --vary guest.tx_ring.size=64,128
expect_code 0 sweep --store vary.db
expect_err "computed 36, reused 24"
export_of vary.db | jq -S 'del(.scenarios)' >vary.json

# The table: a gain against the first variant, or against the first value of the last axis.
expect_code 0 sweep --store vary.db
expect_out "less than none, ns"
expect_code 0 "$VQSIM" sweep "$SOURCE_DIR/scenarios/desc-cache/thr-sg.json" --store sg.db --set duration=200us --set warmup=10us --set replications=2
expect_out "less than at 0, ns"
expect_out "not every point"
[ "$(wc -l <out)" -lt 30 ] || fail "the table is long: $(wc -l <out) lines"
expect_code 0 "$VQSIM" sweep "$SOURCE_DIR/scenarios/desc-cache/thr-sg.json" --store sg.db --set duration=200us --set warmup=10us --set replications=2 --all
[ "$(sed "/^$/,\$d" out | wc -l)" -eq $(($(sqlite3 sg.db 'SELECT count(*) FROM config') + 2)) ] || fail "--all: $(wc -l <out) lines"

# Precision: the same store for any number of threads, the misses are marked.
for j in 1 2 5; do
  expect_code 0 sweep --store p$j.db -j$j --set stop.relative_precision=0.0005 --set stop.most_replications=12
  expect_err "warning: stop.relative_precision: case="
  export_of p$j.db >p$j.json
done
same p1.json p2.json
same p1.json p5.json
expect_code 0 sweep --store p1.db --set stop.relative_precision=0.0005 --set stop.most_replications=12 --json
expect_err "computed 0, reused"
expect_json '(.warnings | length) > 0 and ([.points[].variants[].precise] | any(. == false) and any(. == true))'

# Progress for programs.
expect_code 0 sweep --store progress.db --progress=json
tail -n +1 err | grep '^{' | jq -e -s '.[-1] | .done == 60 and .total == 60 and .left_s == 0' >/dev/null ||
  fail "progress: $(tail -3 err)"
expect_code 0 sweep --store none.db
[ "$(wc -l <err)" -eq 2 ] || fail "progress without a terminal: $(cat err)"
finish
