#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vqsim trace fit: a workload for a scenario's include, which check takes and run runs; what it says of its own quality;
# what it refuses.
. "$SOURCE_DIR/tests/cli/library.sh"
traces=$SOURCE_DIR/tests/study/data/traces
shipped=$SOURCE_DIR/scenarios/traces

# Wrong command lines.
expect_code 2 "$VQSIM" trace fit
expect_code 2 "$VQSIM" trace fit a --json
expect_err "fit writes a scenario, which is JSON"
expect_code 4 "$VQSIM" trace fit "$traces/tcp_rx.trace.gz" -o none/x.json
expect_no_output

# Too little for a law.
printf 'time,len\n0,66\n' >one.csv
printf 'time,len\n0,66\n0.5,66\n' >two.csv
(echo time,len; for _ in $(seq 100); do echo 1,66; done) >instant.csv
for few in "one 1 1" "two 2 2" "instant 1 100"; do
  set -- $few
  expect_code 3 "$VQSIM" trace fit "$1.csv" -o few.json
  expect_err "$1.csv: error: a law of arrivals takes 10 lists of packets at least, here are $2 (packets: $3)"
  [ ! -e few.json ] || fail "a fit of nothing is left"
done
expect_code 3 "$VQSIM" trace fit "$traces/pktgen_b32.trace.gz"
expect_err "here are 0"

# Equal gaps are no chance: a clock, and so it is said.
(echo time,len,sg; for i in $(seq 0 99); do echo "0.$((1000 + i)),1514,2"; done) >clock.csv
expect_code 0 "$VQSIM" trace fit clock.csv
expect_json '.workload == {"type": "constant", "rate": "10kpps", "burst": 1, "mix": [{"weight": 100, "size": 1514, "frags": 1}]}'
expect_json '._laws == [{"law": "constant", "chosen": true}] and ._gaps.distance == 0'

# Every capture at hand: the snippet is a scenario and an include, rates and entries are those of the capture.
for file in "$traces"/*.gz "$shipped"/*.gz; do
  size=
  [[ $file == *pktgen* ]] && size="--size 60"
  expect_code 0 "$VQSIM" trace fit "$file" $size
  cp out fit.json
  expect_json '(.workload.mix | length) <= 32 and ([.workload.mix[].weight] | add) == ._capture.packets'
  expect_json '._packets.share_off == 0 and (._packets.mean_bytes_off | fabs) <= 0.5 and ._packets.mean_entries_off == 0'
  expect_json '(._dispersion | length) >= 2 and (._cannot | length) >= 2 and ([._laws[] | select(.chosen)] | length) == 1'
  expect_json '[._laws[].score_above_least] | min == 0'
  "$VQSIM" trace info "$file" $size --json 2>/dev/null | jq -S .sg_histogram >trace.sg
  jq -S '[.workload.mix[] | {key: (.frags + 1 | tostring), value: .weight}] | group_by(.key) | map({key: .[0].key, value: (map(.value) | add)}) | from_entries' fit.json >fit.sg
  same trace.sg fit.sg
  expect_code 0 "$VQSIM" check fit.json
  echo '{"version": 1, "include": "fit.json", "kernel": "6.1", "duration": "20ms", "host": {"backend": {"type": "kicked"}}}' >with.json
  expect_code 0 "$VQSIM" check with.json
done

# The page has what is printed now.
for file in "$shipped"/*.gz; do
  "$VQSIM" trace fit "$file" | jq -r '(._laws[] | select(.chosen) | .law) as $law |
    (._dispersion[] | select(.window_us > 1000 and .window_us < 1100)) as $d |
    [._capture.file, $law, (._gaps.distance * 100 | round / 100), ($d.capture * 10 | round / 10), ($d.workload * 10 | round / 10)] |
    "| \(.[0]) | \(.[1]) | \(.[2]) | \(.[3]), \(.[4]) |"' >row
  grep -qFx "$(cat row)" "$SOURCE_DIR/docs/traces.md" || fail "docs/traces.md has no row $(cat row)"
done

# The workload has the rate of the capture: over a run far longer than its states.
expect_code 0 "$VQSIM" trace fit "$shipped/mixed.txpkts.csv.gz" -o fit.json
expect_out "MMPP of two states"
expect_out "cannot        Feedback: "
expect_out "variance over the mean"
rate=$(jq ._capture.packets_per_s fit.json)
echo '{"version": 1, "include": "fit.json", "kernel": "6.1", "duration": "4s", "replications": 4, "host": {"backend": {"type": "kicked"}}}' >with.json
expect_code 0 "$VQSIM" run with.json --json
# Five standard errors of a count of 16 s: the variance is at most 8 times the mean.
jq -e --argjson rate "$rate" '.variants[0].metrics.tx_pps.mean as $got | (($got - $rate) | fabs) < 5 * (8 * $rate / 16 | sqrt)' out >/dev/null ||
  fail "rate $(jq .variants[0].metrics.tx_pps.mean out), not $rate"

# Lists: what was handed over together is one arrival.
expect_code 0 "$VQSIM" trace fit "$shipped/tcp_tx_nogso.txpkts.csv.gz"
expect_json '.workload.burst == 33 and ._capture.lists == 393 and (._cannot | map(select(startswith("Lists: all have 33 packets"))) | length) == 1'
finish
