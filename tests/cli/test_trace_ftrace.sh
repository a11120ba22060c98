#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# trace info over the list of text traces: exit codes, streams, places, and that messages are clean.
. "$SOURCE_DIR/tests/cli/library.sh"
lists=$SOURCE_DIR/tests/rejects

judge() { # VERDICT FILE PLACE TEXT
  local want=0
  [ "$1" != reject ] || want=3
  expect_code $want "$VQSIM" trace info "$lists/ftrace/$2"
  if LC_ALL=C grep -q $'[\x01-\x09\x0b-\x1f\x7f-\xff]' err; then fail "$2: a raw byte on stderr"; fi
  case $1 in
  accept) [ ! -s err ] || fail "$2: something on stderr: $(head -n 1 err)" ;;
  warn) expect_err "warning: $4" ;;
  *)
    expect_err "error: $4"
    expect_no_output
    ;;
  esac
  [ "$3" = - ] || expect_err "/$2:$3: "
  if [ "$1" = warn ]; then
    expect_code 3 "$VQSIM" trace info --strict "$lists/ftrace/$2"
    expect_no_output
  fi
}

count=0
while read -r verdict file place text; do
  case $verdict in '#'* | '') continue ;; esac
  judge "$verdict" "$file" "$place" "$text"
  count=$((count + 1))
done <"$lists/ftrace.expect"
[ $count -ge 28 ] || fail "only $count lines"

expect_code 0 "$VQSIM" trace info "$lists/ftrace/ok_two_devices.txt" --dev eth0
expect_out "packets       1"
expect_code 3 "$VQSIM" trace info "$lists/ftrace/ok_two_devices.txt" --dev eth
expect_err "no packets of device eth (3 of other devices)"
expect_code 0 "$VQSIM" trace info "$lists/ftrace/bad_raw_counter_clock.txt" --tsc-hz 2e9
expect_out "packets       2"
traces=$SOURCE_DIR/tests/study/data/traces
four=$(gzip -dc "$traces/tcp_tx_p8.txpkts.csv.gz" | awk -F, '$7 == 4' | wc -l)
expect_code 0 "$VQSIM" trace info "$traces/tcp_tx_p8.trace.gz" --json
expect_json ".sg_histogram[\"4\"] == $four and .sg_not_recorded == 0 and .format == \"ftrace\""
finish
