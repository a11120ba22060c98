#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# recommend: text, JSON, rivals in one table, what is refused, and no change to the store.
. "$SOURCE_DIR/tests/cli/library.sh"
expect_code 0 "$VQSIM" sweep "$here/tiny.json" --store t.db --no-probes
before=$(sha256sum <t.db)

expect_code 0 "$VQSIM" recommend t.db
expect_out "recommended: guest.tx_ring.size "
expect_out "worst of all cases: guest.tx_ring.size "
expect_code 0 "$VQSIM" recommend t.db --json
expect_json '.parameter == "guest.tx_ring.size" and .tolerance_percent == 0.1 and (.why | length) > 0'
expect_json '(.cases | map(.case)) == ["large", "small"] and (.values | length) == 10'
expect_json '[.values[].value] | index(64) != null and index("cache 64") != null'
expect_json '. as $all | [.values[] | select(.verdict == "best" or .verdict == "tie") | .value] | index($all.recommended) != null'
expect_json 'all(.values[]; .regret_percent >= 0 and .cost_bytes > 0)'

expect_code 0 "$VQSIM" recommend t.db --parameter variant --json
expect_json '.recommended == "cache" and .best == "cache" and (.cases | length) == 10'
expect_json '.values[] | select(.value == "none") | .verdict == "worse" and .regret_percent > 1'
expect_code 0 "$VQSIM" recommend t.db --parameter variant --tolerance 90 --json
expect_json '.recommended == "none" and .best == "cache" and (.why | startswith("a tie at every value"))'
expect_code 0 "$VQSIM" recommend t.db --parameter size
expect_code 0 "$VQSIM" recommend t.db --json
expect_json '.fresh_replications == 0 and .cases[0].saving.least_ns == null'
expect_code 0 "$VQSIM" recommend t.db
expect_out "not confirmed: these are the runs that chose it"
[ "$before" = "$(sha256sum <t.db)" ] || fail "the store was changed"

expect_code 3 "$VQSIM" recommend t.db --parameter frags
expect_err "t.db: error: frags: no axis of this store; there are: guest.tx_ring.size"
expect_no_output
expect_code 3 "$VQSIM" recommend none.db
expect_code 2 "$VQSIM" recommend
expect_code 2 "$VQSIM" recommend t.db --tolerance 101
expect_code 2 "$VQSIM" recommend t.db --tolerance 1x
"$VQSIM" recommend t.db >/dev/full 2>err
[ $? -eq 4 ] || fail "stdout that is full: exit status"

# A sweep runs again what its answer rests on.
jq '.duration = "1ms" | .cases = {"small": .cases.small}' "$here/tiny.json" >one.json
expect_code 0 "$VQSIM" sweep one.json --store one.db
expect_out "(10 replications under another seed)"
expect_code 0 "$VQSIM" recommend one.db --json
expect_json '.fresh_replications == 10 and .recommended != null and .runs == .runs_wanted'
expect_json '.cases[0].values | (map(select(.fresh_replications == 10)) | length) as $again | $again >= 2 and $again < length'
expect_json '.cases[0].saving | .least_ns < .ns_per_packet and .most_ns > .ns_per_packet'
expect_code 0 "$VQSIM" recommend one.db
expect_out "confirmed: * 10 replications under another seed"

# What moves the answer can be set by hand: a probe is a run as any other.
expect_code 0 "$VQSIM" recommend one.db --json
at=$(jq -r '.cases[0].saving.most_at' out)
most=$(jq '.cases[0].saving.most_ns' out)
expect_code 0 "$VQSIM" sweep one.json --store by-hand.db --set "$at" --no-probes --json
jq -e --argjson most "$most" '.answers[0].saving.ns_per_packet | . > 0.9 * $most and . < 1.1 * $most' out >/dev/null ||
  fail "saves $(jq '.answers[0].saving.ns_per_packet' out) ns with $at, the probe says $most"

# An edited scenario that is swept again replaces the one before, as in a report.
big='{"version": 1, "name": "iter", "duration": "4ms", "warmup": "1ms", "replications": 8, "workload": {"type": "saturating", "window": 16, "size": 60000, "frags": 17}, "sweep": {"guest.virtio_desc_cache_thr": [0, 2, 4, 17, 18]}}'
small='{"version": 1, "name": "iter", "duration": "4ms", "warmup": "1ms", "replications": 8, "workload": {"type": "saturating", "window": 16, "size": 1000, "frags": 1}, "sweep": {"guest.virtio_desc_cache_thr": [0, 2, 4, 17, 18]}}'
echo "$big" >iter.json
expect_code 0 "$VQSIM" sweep iter.json --store iter.db
expect_code 0 "$VQSIM" recommend iter.db --json
expect_json '.recommended == 18 and .cases[0].case == "iter"'
echo "$small" >iter.json
expect_code 0 "$VQSIM" sweep iter.json --store iter.db
expect_code 0 "$VQSIM" recommend iter.db --json
expect_json '.recommended == 4 and (.cases | length) == 1'

# Two scenarios in one store: what suffices for both, confirmed or not, and each case says whose it is.
echo "${big/iter/large}" >large.json
echo "${small/iter/small}" >small.json
for probes in --no-probes --all-probes; do
  rm -f both.db*
  for file in large small; do
    expect_code 0 "$VQSIM" sweep $file.json --store both.db $probes
  done
  expect_code 0 "$VQSIM" recommend both.db --json
  expect_json '.recommended == 18 and (.cases | map(.case)) == ["large", "small"]'
done

# A sweep that was cut short is said to be.
"$VQSIM" export both.db >/dev/null
sqlite3 both.db 'DELETE FROM result WHERE id % 7 = 0'
expect_code 0 "$VQSIM" recommend both.db
expect_out "unfinished: "
expect_out "of 80 runs are there; the same vqsim sweep computes the rest"

# Traffic is a condition of the choice, not what is chosen.
jq 'del(.cases, .sweep) | .sweep = {"workload.size": [60, 1514]}' "$here/tiny.json" >traffic.json
expect_code 0 "$VQSIM" sweep traffic.json --store traffic.db
expect_code 0 "$VQSIM" recommend traffic.db --json
expect_json '.parameter == "variant" and .recommended == "cache" and (.cases | length) == 2'
finish
