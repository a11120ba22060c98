#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The program and second_machine.py agree on every case: the same verdict and the same length of the shortest hang. Store
# buffers of two entries or without limit add no hang and no shorter way to one.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A line a case: protocol, barriers of producer and consumer, re-check, steps or "never". Where the producer has no
# place for a barrier, all three are one case.
"$BUILD_DIR/tests/protocol" | awk -F ' *[|] *' '
  $2 ~ /^`/ {
    gsub(/`/, "", $2)
    split("none read full full", consumer, " ")
    count = split($3 == "-" ? "none read full" : $3, producer, " ")
    for (p = 1; p <= count; p++)
      for (c = 1; c <= 4; c++)
        if ($(c + 3) != "") {
          split($(c + 3), words, " ")
          print $2, producer[p], consumer[c], c == 4 ? "no-recheck" : "re-check", words[1] == "never" ? "never" : words[2]
        }
  }' | sort >"$work/first"
test "$(wc -l <"$work/first")" -ge 140

for depth in 1 2 0; do
  python3 "$SOURCE_DIR/tests/protocol/second_machine.py" "$depth" | sort >"$work/second"
  # Cases the table leaves empty are left out of the second list, too.
  join <(awk '{ print $1 "," $2 "," $3 "," $4, $5 }' "$work/first") \
    <(awk '{ print $1 "," $2 "," $3 "," $4, $5 }' "$work/second") >"$work/both"
  test "$(wc -l <"$work/both")" -eq "$(wc -l <"$work/first")"
  awk -v depth="$depth" '
    $2 != $3 { print "depth " depth ": " $0; bad = 1 }
    END { exit bad }' "$work/both"
done
