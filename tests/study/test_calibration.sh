#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The shipped cost table is what calibrate makes of the shipped figures, the compiled defaults are that table, and with
# the cache column hidden its gain is predicted.
. "${SOURCE_DIR:?}/tests/cli/library.sh"

shipped=$SOURCE_DIR/scenarios/costs/af-xdp-2021.json
expect_code 0 "$VQSIM" calibrate desc-cache -o table.json --json
expect_json '.ok and .hidden == null and .predictions == [] and .fit.end == "found"'
expect_json '[.costs[] | select(.fitted) | .ok and .value_ns >= .low_ns and .value_ns <= .high_ns] | all'
expect_json '[.costs[] | select(.residual_ns != null) | .residual_ns | fabs < 0.5] | all'
expect_json '.fit.error_ns > 0 and .fit.error_correlated_ns > .fit.error_ns'
expect_json '.fit | (.simulated_percent - .published_percent) | fabs < 1'
# To the nanosecond, which is what five replications know; limits and status to the letter.
costs() { jq -r 'to_entries[] | select(.key[:1] != "_") | "\(.key) \(.value.low) \(.value.high) \(.value.status)"' "$1"; }
diff <(costs "$shipped") <(costs table.json) >diff.txt || fail "calibrate makes another table: $(cat diff.txt)"
jq -rn --slurpfile a "$shipped" --slurpfile b table.json 'def ns: .value | rtrimstr("ns") | tonumber;
  $a[0] | keys[] | select(.[:1] != "_") | . as $k | ($a[0][$k] | ns) - ($b[0][$k] | ns) | select(fabs > 1.0001)
  | "\($k) \(.) ns"' >diff.txt
[ ! -s diff.txt ] || fail "calibrate does not reproduce the shipped table: $(cat diff.txt)"

# Defaults: to the rounding of the table, so to the last digit.
"$VQSIM" params --json >params.json
jq -r 'to_entries[] | select(.key[:1] != "_") | "\(.key) \(.value.value) \(.value.low) \(.value.high)"' "$shipped" |
  sort >want.txt
jq -r '.. | objects | select(.path? and .certificate?) | "\(.path) \(.default) \(.certificate.low) \(.certificate.high)"' \
  params.json | sort >all.txt
[ "$(wc -l <want.txt)" -ge 15 ] || fail "the shipped table has few costs"
comm -23 want.txt all.txt >diff.txt
[ ! -s diff.txt ] || fail "not the compiled defaults: $(cat diff.txt)"

# Including it changes nothing.
jq --arg file "$shipped" '. + {"include": $file}' "$SOURCE_DIR/scenarios/desc-cache/xsk.json" >with.json
"$VQSIM" show with.json >with.txt 2>err || fail "the table cannot be included: $(cat err)"
"$VQSIM" show "$SOURCE_DIR/scenarios/desc-cache/xsk.json" >without.txt 2>err
same with.txt without.txt

expect_code 0 "$VQSIM" calibrate desc-cache --hide cache --json
expect_json '.hidden == "cache" and .fit.variant == "kmem_cache" and .fit.error_ns == null'
expect_json '[.predictions[] | select(.unit == "percent" and .ok != null) | .simulated >= 14 and .simulated <= 19] | length >= 1 and all'
expect_code 2 "$VQSIM" calibrate desc-cache --hide none
expect_err "a variant of the table but its first is needed"
expect_code 2 "$VQSIM" calibrate
expect_code 3 "$VQSIM" calibrate nothing

# Costs that are known: figures "measured" on the bed with other costs give those costs back.
jq '.replications = 3 | .duration = "20ms" | .warmup = "20ms"' "$SOURCE_DIR/scenarios/desc-cache/xsk.json" >bed.json
truth="--set costs.memory.write_alloc=50ns --set costs.guest.add=60ns --set costs.guest.detach=55ns --set costs.slab.slow_free=33ns"
"$VQSIM" run bed.json $truth --json >run.json 2>err || fail "$(cat err)"
"$VQSIM" profile bed.json $truth --json >profile.json 2>err || fail "$(cat err)"
rate() { jq -r --arg v "$1" '.. | objects | select(.name? == $v and .metrics?) | .metrics.tx_pps.mean' run.json; }
printf 'none,cache\n%s,%s\n%s,%s\n' "$(rate none)" "$(rate cache)" "$(rate none)" "$(rate cache)" >rates.csv
for variant in none kmem_cache; do
  jq -r --arg v $variant '.profiles[] | select(.name == $v) | .symbols | to_entries[] | select(.value.percent >= 0.01)
    | "  \(.value.percent * 10000 | round / 10000)%  [kernel]  [k] \(.key)"' profile.json >$variant.txt
done
# The time of kmem_cache is not that of none here: its shares are taken of none's, so only what none fixes is compared.
jq '.table = "known" | .bed = "bed.json" | .rates = {"file": "rates.csv", "columns": {"none": "none", "cache": "cache"}}
  | .profiles = {"none": "none.txt", "kmem_cache": "kmem_cache.txt"} | .cells = []
  | .costs |= map(select(.perf == null))' "$SOURCE_DIR/scenarios/published/desc-cache.json" >known.json
"$VQSIM" calibrate known.json --json >out 2>err
found() { jq -e --arg p "$1" --argjson want "$2" --argjson room "$3" \
  '.costs[] | select(.parameter == $p) | .value_ns - $want | fabs <= $room' out >/dev/null ||
  fail "$1: $(jq --arg p "$1" '.costs[] | select(.parameter == $p) | .value_ns' out), not $2"; }
found costs.memory.write_alloc 50 3
found costs.guest.add 60 1
found costs.guest.detach 55 0.3
found costs.guest.xsk_xmit 61.6 0.3
found costs.slab.kfree 11.9 0.3
found costs.slab.slow_free 33 2

# Side by side with a published profile.
expect_code 0 "$VQSIM" profile "$SOURCE_DIR/scenarios/desc-cache/xsk.json" --set duration=2ms --set warmup=2ms \
  --published "$SOURCE_DIR/scenarios/published/desc-cache-profile.txt" --json
expect_json '[.profiles[] | (.beside | map(.published_percent) | add - 100 | fabs < 1e-6) and
  (.beside | map(.simulated_percent) | add - 100 | fabs < 1e-6)] | length == 3 and all'
expect_code 0 "$VQSIM" profile "$SOURCE_DIR/scenarios/desc-cache/xsk.json" --set duration=2ms --set warmup=2ms \
  --published "$SOURCE_DIR/scenarios/published/desc-cache-profile.txt"
expect_out "what is not listed"
echo "no profile" >bad.txt
expect_code 3 "$VQSIM" profile "$SOURCE_DIR/scenarios/desc-cache/xsk.json" --published bad.txt
expect_err "bad.txt:1:1: error: no line of a profile"
finish
