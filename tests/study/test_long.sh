#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Ten million packets through the vhost worker at a constant pace: every account adds up at the end (the program asserts them), nothing is dropped,
# 16-bit indices go round 152 times, every packet is in the histograms, and the series keeps to its room. docs/host.md has the hour of it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$VQSIM" run "$SOURCE_DIR/scenarios/host/long.json" --expect --strict --store "$work/long.db" >/dev/null
ask() { sqlite3 "$work/long.db" "$1"; }
near() { # WHAT NUMBER: ten million, but for what is under way at both ends
  echo "$1: $2"
  [ "$2" -gt 9999900 ] && [ "$2" -lt 10000100 ]
}
near "packets sent" "$(ask 'select packets from result')"
near "latencies" "$(ask "select sum(count) from histogram where name = 'latency'")"
near "reclaims" "$(ask "select sum(count) from histogram where name = 'reclaim'")"
near "adds" "$(ask "select sum(count) from histogram where name = 'in_flight'")"
points=$(ask 'select count(*) from series')
echo "points of the series: $points"
[ "$points" -gt 100 ] && [ "$points" -le 1024 ]
