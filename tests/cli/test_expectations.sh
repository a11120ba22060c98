#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every shipped scenario passes `check` without an error and meets its own expectations.
set -euo pipefail
failed=0
for file in "$SOURCE_DIR"/scenarios/*/*.json; do
  case $file in */costs/* | */published/*) continue ;; esac # no scenarios
  "$VQSIM" check "$file" >/dev/null 2>&1 || { echo "check: $file"; failed=1; }
  "$VQSIM" run "$file" --expect >/dev/null 2>/tmp/shipped.$$ || { echo "run: $file"; cat /tmp/shipped.$$; failed=1; }
done
rm -f /tmp/shipped.$$
exit $failed
