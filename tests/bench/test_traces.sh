#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A capture of three times the length is read, ordered and given its entries in the same memory.
set -euo pipefail
bench=$BUILD_DIR/tests/bench_trace
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

peak_heap() { # FORMAT PACKETS: the most bytes held at once
  "$bench" write "$1" "$2" >"$work/capture"
  valgrind --tool=massif --massif-out-file="$work/massif" "$bench" order "$work/capture" >/dev/null 2>&1
  sed -n 's/^mem_heap_B=//p' "$work/massif" | sort -n | tail -n 1
}

failed=0
for format in pcap pcapng csv; do
  short=$(peak_heap $format 70000)
  long=$(peak_heap $format 210000)
  echo "$format: $short bytes, $long at three times the length"
  [ "$short" -gt 1000000 ] && [ $((long - short)) -lt 4096 ] || failed=1
done
exit $failed
