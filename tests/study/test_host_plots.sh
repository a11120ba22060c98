#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The plots of the vhost backend: each is drawn from the scenario that is made for it, names its backend, and is listed as not drawn for
# a store that has no data for it.
. "${SOURCE_DIR:?}/tests/cli/library.sh"

scenarios=$SOURCE_DIR/scenarios
sweep() { # SCENARIO OPTION...: into sweep.db, then its report
  local file=$1
  shift
  rm -rf sweep.db page
  "$VQSIM" sweep "$scenarios/$file" --no-probes --store sweep.db "$@" >/dev/null 2>err || fail "$file: $(cat err)"
  "$VQSIM" report sweep.db -o page >/dev/null 2>err || fail "report of $file: $(cat err)"
}
drawn() { # PLOT...
  for plot; do
    grep -q '</svg>' "page/$plot.svg" || fail "$plot is not drawn"
    grep -q 'Backend: vhost' page/index.html || fail "the page does not name the backend of $plot"
  done
}
missing() { # PLOT...
  for plot; do
    [ ! -e "page/$plot.svg" ] || fail "$plot is drawn from a store that is not about it"
    grep -q "$plot" page/index.html || fail "$plot is not listed as not drawn"
  done
}
short=(--set duration=3ms --set replications=2)

sweep zerocopy/policies.json "${short[@]}" --vary workload.size=256,1460
drawn host_by_policy completion_delay
missing fires_by_moderation stall_timeline zerocopy_break_even zerocopy_moves
[ "$(grep -c '^# ' page/host_by_policy.dat)" = 12 ] || fail "not six policies in two pictures"

sweep zerocopy/moderation.json "${short[@]}" --vary host.nic.moderation=0us,30us
drawn fires_by_moderation completion_delay
missing host_by_policy

sweep zerocopy/break-even.json "${short[@]}" --case prior --case 'pin 600ns' --vary workload.size=512,8192,65226
drawn zerocopy_break_even zerocopy_moves
missing host_by_policy completion_delay
grep -Eq '^# .*"prior \([0-9]+ B\)"' page/zerocopy_moves.dat || fail "no break-even by the priors"

sweep stalls/timeline.json --set replications=2
drawn stall_timeline
grep -q 'nobody waits stops after [0-9.]* ms: the vhost worker sleeps' page/index.html || fail "the stop is not explained"

sweep host/ping-weight.json --set duration=40ms --set replications=2 --case 64 --case 1024 --case none
drawn ping_by_weight
missing host_by_policy stall_timeline
[ "$(awk '!/^#/ && !/^place/ && NF { print $2 }' page/ping_by_weight.dat | tr -d '"' | xargs)" = "64 1024 none" ] || fail "weights: $(cat page/ping_by_weight.dat)"

sweep facts/empty-ring.json "${short[@]}"
missing host_by_policy fires_by_moderation completion_delay stall_timeline zerocopy_break_even zerocopy_moves ping_by_weight
finish
