#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scenarios/host/kick-cycle.json: the published rates of datagrams with and without notifications enabled before the last batch
# is sent, by one cost table inside its ranges; and what one kick costs there, which docs/host.md has beside the published 77 us.
. "${SOURCE_DIR:?}/tests/cli/library.sh"

file=$SOURCE_DIR/scenarios/host/kick-cycle.json
"$VQSIM" check "$file" >out 2>err && [ ! -s err ] || fail "a cost is outside its range: $(cat out err)"

# At most a twentieth off with a tenth of the time; the full run is a row of validate other.
expect_code 0 "$VQSIM" run "$file" --json --set duration=200ms --set warmup=20ms --set replications=4
jq -r '[.variants[].metrics | .tx_pps.mean, .kicks_per_s.mean] | @tsv' out >rates
awk '{ after = $1; kicks = $2; before = $3; few = $4
  lost = (1e6 / after - 1e6 / before) * after / (kicks - few)
  printf "%.0f and %.0f datagrams/s, %.0f and %.0f kicks/s, %.1f packets per kick: %.1f us lost per kick (published: 77)\n",
    after, before, kicks, few, after / kicks, lost
  off = 0
  if (after < 0.95 * 382e3 || after > 1.05 * 382e3) off = 1
  if (before < 0.95 * 650e3 || before > 1.05 * 650e3) off = 1
  if (few > 500) off = 1
  exit off }' rates >lost || fail "not the published rates: $(cat lost)"
cat lost
said=$(sed -n 's/.* kick cycle costs \([0-9.]*\) us .*/\1/p' "$SOURCE_DIR/docs/host.md")
now=$(sed -n 's/.*: \([0-9.]*\) us lost.*/\1/p' lost)
awk -v a="$said" -v b="$now" 'BEGIN { exit !(a != "" && b - a < 0.25 && a - b < 0.25) }' ||
  fail "docs/host.md says $said us per kick, the run $now"

[ "$failures" = 0 ]
