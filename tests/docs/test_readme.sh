#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands and the scenario of README.md work as they stand there, and print the lines that it shows.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/build/release"
ln -s "$VQSIM" "$work/build/release/vqsim"
ln -s "$SOURCE_DIR/scenarios" "$SOURCE_DIR/plots" "$work/"
awk '/^```sh/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE_DIR/README.md" | grep -v '^cmake' >"$work/commands.sh"
awk '/^```json/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE_DIR/README.md" >"$work/mine.json"
cd "$work"
VQSIM_DATA=$SOURCE_DIR bash -euo pipefail commands.sh >out.txt
test -s build/thr-report/index.html
squeezed() { tr -s ' ' <"$1" | sed 's/ $//'; }
awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' "$SOURCE_DIR/README.md" >shown.txt
[ "$(wc -l <shown.txt)" -ge 9 ]
squeezed out.txt >printed.txt
squeezed shown.txt | while IFS= read -r line; do
  grep -qxF -- "$line" printed.txt || { echo "README.md shows what is not printed: $line" >&2; exit 1; }
done
build/release/vqsim check mine.json
build/release/vqsim run mine.json >/dev/null
