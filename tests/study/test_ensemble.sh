#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# An ensemble of worlds from figures of a bed whose costs are known: the worlds hold the truth, they are the same for any
# number of threads, their file is read back and can be included, and what is wrong in a table or a file is told.
. "${SOURCE_DIR:?}/tests/cli/library.sh"

cat >bed.json <<'J'
{"version": 1, "name": "known", "kernel": "3.13", "seed": 1, "replications": 2, "duration": "4ms", "warmup": "1ms", "jitter": 0.1,
 "guest": {"stack": {"packet": "2us"}}, "workload": {"type": "saturating", "size": 512},
 "host": {"backend": {"type": "vhost"}, "vhost": {"era": "3.13"}},
 "variants": {"old": {}, "gated": {"host.vhost": {"zcopy_cb_gated": true, "zcopy_rescan": true}}}}
J
# The truth: values of all unknowns; published is what the bed does with them.
truth="--set guest.stack.packet=2.6us --set costs.vhost.tx_packet=1.3us --set costs.nic.clean=0.4us --set host.nic.moderation=6us"
for size in 256 1460; do
  "$VQSIM" run bed.json $truth --set workload.size=$size --json >run.$size.json 2>err || fail "$(cat err)"
done
figure() { jq -r --arg v "$2" --arg m "$3" '.variants[] | select(.name == $v) | .metrics[$m].mean' "run.$1.json"; }
cell() { # NAME VARIANT SIZE METRIC REST
  echo '{"cell": "'"$1 $3"'", "variant": "'$2'", "at": {"workload.size": '$3'}, "metric": "'$4'",
    "published": '"$(figure $3 $2 $4)"', '"$5"'},'
}
idle=host_cpu_idle_percent
cells() {
  for size in 256 1460; do
    cell "old pps" old $size tx_pps '"sigma_percent": 0.5, "accepted_percent": 1, "role": "calibrated"'
    cell "old idle" old $size $idle '"sigma": 0.1, "accepted_within": 0.2, "role": "calibrated"'
    cell "new pps" gated $size tx_pps '"accepted_percent": 5, "role": "held-out"'
    cell "new idle" gated $size $idle '"role": "held-out"'
  done
  echo '{"cell": "mean error", "variant": "old", "metric": "tx_pps", "mean": "error_percent", "accepted": [-0.8, 0.8], "role": "calibrated"},
    {"cell": "gain of idle", "variant": "gated", "over": "old", "metric": "'$idle'", "mean": "gain", "tie": 0.02,
     "accepted": [-5, 5], "role": "held-out"}'
}
table() { # FREE
  echo '{"table": "known", "ensembles": [{"name": "old", "bed": "bed.json", "compare": ["old", "gated"], "seed": 3,
    "search": {"duration": "3ms", "warmup": "1ms"}, "free": ['"$1"'],
    "regimes": [{"parameter": "host.nic.softirq_cpu", "values": ["own", "worker"]}],
    "split": [{"by": "host.nic.softirq_cpu"}, {"by": "guest.stack.packet", "edges": ["2us"]}, {"by": "queue_stops_per_s", "edges": [1]}],
    "cells": ['"$(cells)"']}]}' >known.json
}
one='{"parameter": "guest.stack.packet"}'
all=$one', {"parameter": "costs.vhost.tx_packet"}, {"parameter": "costs.nic.clean"}, {"parameter": "host.nic.moderation", "scale": "log"}'

# All unknowns free: every world meets the figures, and what was held out lies within what they say.
table "$all"
expect_code 0 "$VQSIM" calibrate known.json --ensemble 6 -o worlds.json --json -j 1
expect_json '.ok and .accepted >= 3 and (.worlds | length) == .accepted and .draws == 120 and .starts == 6'
expect_json '[.cells[] | select(.role == "calibrated" and (.cell | startswith("old"))) |
  (.least / .published - 1 | fabs) <= 0.0101 and (.most / .published - 1 | fabs) <= 0.0101] | length == 4 and all'
expect_json '[.cells[] | select(.cell == "mean error") | .least >= -0.8 and .most <= 0.8] == [true]'
expect_json '[.cells[] | select(.cell | startswith("new pps")) | .least <= 1.02 * .published and .most >= 0.98 * .published] | all'
expect_json '[.cells[] | select(.cell | startswith("new")) | .null > 0] | all'
expect_json '.accepted as $n | .cells[] | select(.cell == "gain of idle") | .helps + .hurts + .ties == $n and .null == 0'
expect_json '.accepted as $n | .cells[] | select(.cell == "gain of idle") | [.groups[] | select(.by == "host.nic.softirq_cpu") | .worlds] | add == $n'
cp out one.json
expect_code 0 "$VQSIM" calibrate known.json --ensemble 6 -o two.json --json -j 2
same out one.json
same worlds.json two.json

# The file says the same again, and a scenario can include it beside the bed.
expect_code 0 "$VQSIM" calibrate known.json --worlds worlds.json --json
jq '[.cells, .accepted]' one.json >want.json
jq '[.cells, .accepted]' out >got.json
same want.json got.json
expect_code 0 "$VQSIM" calibrate known.json --worlds worlds.json
expect_out "gain of idle, gated over old"
expect_out "null: gated does as old"
echo '{"version": 1, "include": ["bed.json", "worlds.json"], "name": "all"}' >all.json
expect_code 0 "$VQSIM" check all.json
[ "$("$VQSIM" plan all.json --json | jq '.points')" = "$(jq .accepted one.json)" ] || fail "the worlds are not the cases"

# One unknown, which the rate fixes: every world holds it.
table "$one"
jq '.ensembles[0].bed = "one.json"' known.json >k.json
jq --arg t "$truth" '. * {"costs": {"vhost": {"tx_packet": "1.3us"}, "nic": {"clean": "0.4us"}}, "host": {"nic": {"moderation": "6us"}}}' \
  bed.json >one.json
expect_code 0 "$VQSIM" calibrate k.json --ensemble 4 --json
expect_json '.accepted >= 2 and ([.worlds[] | .settings["guest.stack.packet"] | rtrimstr("us") | tonumber - 2.6 | fabs < 0.05] | all)'
expect_json '[.worlds[] | .settings["host.nic.softirq_cpu"]] | index("own") != null'

# No world: told, and the exit code says so.
jq '.ensembles[0].cells[0].published = 9e6' k.json >none.json
expect_code 1 "$VQSIM" calibrate none.json --ensemble 1
expect_out "no world meets the calibrated cells"

# What is refused.
refuse() { # FILTER MESSAGE
  jq "$1" known.json >bad.json
  expect_code 3 "$VQSIM" calibrate bad.json --ensemble 1
  expect_err "$2"
}
refuse '.ensembles[0].free[0].parameter = "guest.stack.nothing"' "the path of a parameter is needed"
refuse '.ensembles[0].free[0].parameter = "workload.size"' "only times, costs and ratios can be free"
refuse '.ensembles[0].free[0] += {"low": "3us", "high": "1us"}' "a range from low to high is needed"
refuse '.ensembles[0].free[0].parameter = "host.nic.slow_by"' "where the parameter has no certificate"
refuse '.ensembles[0].regimes[0].values = []' "a list of values is needed"
refuse '.ensembles[0].regimes[0].values[0] = "mine"' "mine"
refuse '.ensembles[0].cells[0].metric = "speed"' "no such metric"
refuse '.ensembles[0].cells[0].variant = "other"' "has no variant 'other'"
refuse '.ensembles[0].cells[0].role = "liked"' "one of the known words is needed"
refuse 'del(.ensembles[0].cells[0].accepted_percent)' "a calibrated cell needs limits"
refuse '.ensembles[0].cells[-1].over = "other"' "no cell of it"
refuse '.ensembles[0].dither = {"parameter": "costs.nic.interrupt", "factors": [1]}' "a free parameter is needed"
refuse '.ensembles[0].split[0].by = "beauty"' "an unknown of the ensemble, or a metric"
jq 'del(.cases[]["guest.stack.packet"])' worlds.json >bad.json
table "$all"
expect_code 3 "$VQSIM" calibrate known.json --worlds bad.json
expect_err "guest.stack.packet: missing"
jq '.cases[]["guest.stack.packet"] = "9us"' worlds.json >bad.json
expect_code 3 "$VQSIM" calibrate known.json --worlds bad.json
expect_err "outside what the ensemble allows"
expect_code 2 "$VQSIM" calibrate known.json
expect_err "--ensemble N or --worlds FILE is needed"
expect_code 2 "$VQSIM" calibrate known.json --ensemble 0
expect_code 2 "$VQSIM" calibrate known.json --ensemble 1 --of other
expect_err "'old'"
expect_code 2 "$VQSIM" calibrate desc-cache --ensemble 1
expect_err "has no ensembles"
expect_code 2 "$VQSIM" validate --ensemble 1
finish
