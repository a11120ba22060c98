#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The fingerprints of bits.json are those of the model revision they were recorded with. When a change of the
# models is meant to change results: raise MODEL_REVISION in models/run.h and record again with
#   VQSIM=build/release/vqsim SOURCE_DIR=. bash tests/fingerprints/test_fingerprints.sh record
set -euo pipefail
here=$SOURCE_DIR/tests/fingerprints
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$VQSIM" sweep "$here/bits.json" --store "$work/bits.db" >/dev/null 2>&1
"$VQSIM" export "$work/bits.db" --json >"$work/bits.json"
jq -r '.configs[] | .point as $point | .runs[] | "revision \(.revision) \($point) \(.replication) \(.fingerprint)"' \
  "$work/bits.json" | sort >"$work/now"
if [ "${1:-}" = record ]; then
  cp "$work/now" "$here/recorded.txt"
  exit 0
fi
diff "$here/recorded.txt" "$work/now" || {
  echo "fingerprints differ: a model changed; is MODEL_REVISION raised and were they recorded again?"
  exit 1
}
