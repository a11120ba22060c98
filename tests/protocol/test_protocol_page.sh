#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The table and the traces of docs/protocol.md are what the program prints now.
set -euo pipefail
program=$BUILD_DIR/tests/protocol
page=$SOURCE_DIR/docs/protocol.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" >"$work/table"
# shellcheck disable=SC2016
grep -E '^\| (`[a-z-]+` \| (none|read|full|-) \||protocol \| producer.s barrier)' "$page" >"$work/on_page"
diff <(grep -v '^|---' "$work/table") "$work/on_page"

blocks=0
while IFS= read -r command; do
  read -ra words <<<"${command#'$ build/release/tests/protocol '}"
  "$program" "${words[@]}" >"$work/printed"
  awk -v first="$command" '$0 == first { on = 1; next } /^```/ { on = 0 } on' "$page" >"$work/on_page"
  diff "$work/printed" "$work/on_page"
  blocks=$((blocks + 1))
done < <(grep -F '$ build/release/tests/protocol ' "$page")
test "$blocks" -ge 8

# Wrong usage: message on stderr, exit code 2.
for words in nothing 'callback read' 'callback read most' 'callback read full re-check'; do
  code=0
  # shellcheck disable=SC2086
  "$program" $words >"$work/printed" 2>"$work/message" || code=$?
  test "$code" -eq 2
  test ! -s "$work/printed"
  grep -q '^usage: protocol' "$work/message"
done
