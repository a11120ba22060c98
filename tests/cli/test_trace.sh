#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# vqsim trace: what info and convert print, what they refuse, and that a converted capture is the same capture.
. "$SOURCE_DIR/tests/cli/library.sh"
rejects=$SOURCE_DIR/tests/rejects
traces=$SOURCE_DIR/tests/study/data/traces

# Wrong command lines.
expect_code 2 "$VQSIM" trace
expect_err "what to do with the capture is needed"
expect_code 2 "$VQSIM" trace inf x
expect_err "no sub-command 'inf'; did you mean info?"
expect_code 2 "$VQSIM" trace info
expect_err "a capture is needed"
expect_code 2 "$VQSIM" trace info a b
expect_err "one argument too many: 'b'"
expect_code 2 "$VQSIM" trace info a --no-such
expect_err "unknown option '--no-such'"
expect_code 2 "$VQSIM" trace info a -o b
expect_code 2 "$VQSIM" trace convert a --json
for bad in "--order up" "--direction left" "--queue -1" "--queues 0" "--frag-bytes 1x" "--max-frags 99" "--delimiter ab" \
  "--tsc-hz fast" "--tsc-hz nan" "--sg-bytes 24"; do
  expect_code 2 "$VQSIM" trace info a $bad
  expect_err "${bad%% *} ${bad#* }"
done

# Files that are none, or of no known kind.
expect_code 3 "$VQSIM" trace info none.pcap
expect_err "none.pcap: error: No such file or directory"
expect_code 3 "$VQSIM" trace info .
expect_err "is a directory"
printf '\x28\xb5\x2f\xfd rest' >a.zst
expect_code 3 "$VQSIM" trace info a.zst
expect_err "run: zstd -d"
expect_code 3 "$VQSIM" trace info "$rejects/pcap/le_us.pcap" --format pcapp
expect_err "no capture format is called pcapp"

# An option that means nothing to a format.
expect_code 0 "$VQSIM" trace info "$rejects/csv/ok_bom.csv" --mac 52:54:00:77:00:02 --dev eth0 --tsc-hz 1e9
[ "$(grep -c "warning: .* has no effect on a capture of format csv" err)" -eq 3 ] || fail "$(cat err)"
expect_code 3 "$VQSIM" trace info "$rejects/pcap/le_us.pcap" --delimiter ';' --strict
expect_err "error: delimiter has no effect on a capture of format pcap"

# Any capture as CSV, and that as CSV again: the same bytes, and the same sum of it.
for file in "$rejects"/pcap/{le_us.pcap,ng_tsresol_ps.pcapng,linktype_sll.pcap,ng_unsorted_interfaces.pcapng,snaplen96.pcap} \
  "$rejects"/csv/ok_queue_dir.csv "$traces"/{tcp_rx.pcap.gz,tcp_tx_p8.pcap.gz,tcp_rx.txpkts.csv.gz,tcp_tx_p8.trace.gz}; do
  expect_code 0 "$VQSIM" trace convert "$file" -o once.csv
  expect_no_output
  expect_code 0 "$VQSIM" trace convert once.csv
  same once.csv out
  "$VQSIM" trace info "$file" --json 2>/dev/null | jq -S '{packets, bytes, duration_s, sg_histogram, sg_source, received, lists}' >first
  "$VQSIM" trace info once.csv --json | jq -S '{packets, bytes, duration_s, sg_histogram, sg_source, received, lists}' >second
  same first second
done
[ ! -e once.csv.part ] || fail "a part is left"
# A pipe stays one, and gets the bytes.
mkfifo pipe
cat pipe >piped.csv &
expect_code 0 "$VQSIM" trace convert once.csv -o pipe
wait
[ -p pipe ] && [ ! -e pipe.part ] || fail "the pipe was replaced"
same once.csv piped.csv
expect_code 4 "$VQSIM" trace convert once.csv -o none/x.csv
expect_err "none/x.csv.part: "
expect_code 3 "$VQSIM" trace convert "$rejects/pcap/caplen_huge.pcap" -o refused.csv
[ ! -e refused.csv ] && [ ! -e refused.csv.part ] || fail "something is left of what was refused"

# The packets that are wanted.
expect_code 0 "$VQSIM" trace info "$traces/tcp_rx.pcap.gz"
expect_err "all packets are taken as sent, and they come from more than one address: "
expect_err "52:54:00:77:00:02 327"
expect_code 0 "$VQSIM" trace info "$traces/tcp_rx.pcap.gz" --json
expect_json '.warnings | any(contains("workload.mac, says whose were sent"))'
expect_code 0 "$VQSIM" trace info "$traces/tcp_rx.pcap.gz" --mac 52:54:00:77:00:02
grep -q "taken as sent" err && fail "senders are told although the sender is known"
expect_code 0 "$VQSIM" trace info "$traces/tcp_rx.pcap.gz" --json --mac 52:54:00:77:00:02
expect_json '.packets == 327 and .received == 1240 and .lost_events == null and .sg_histogram == {"1": 327}'
expect_code 3 "$VQSIM" trace info "$traces/tcp_rx.pcap.gz" --mac " 2:54:00:77:00:02"
expect_err "is no hardware address"
expect_code 0 "$VQSIM" trace info "$traces/tcp_rx.pcap.gz" --json --mac 52:54:00:77:00:02 --direction rx
expect_json '.packets == 1240'
expect_code 0 "$VQSIM" trace convert "$rejects/csv/ok_queue_dir.csv" --queue 3
[ "$(wc -l <out)" -eq 2 ] || fail "not one packet of queue 3"
expect_code 0 "$VQSIM" trace info "$traces/pktgen_b32.trace.gz" --json
expect_json '.packets == 3728 and .bytes == null and .size_unknown == 3728 and .sg_histogram == {"1": 3728}'
expect_code 3 "$VQSIM" trace convert "$traces/pktgen_b32.trace.gz"
expect_no_output
expect_err "no packet is left that was sent: none has a recorded size"
expect_err "packets left out whose size is not recorded: 3728; --size, in a scenario workload.unrecorded_size, says it"
expect_code 0 "$VQSIM" trace info "$traces/pktgen_b32.trace.gz" --json --size 60
expect_json '.packets == 3728 and .bytes == 223680 and .size_unknown == 0'
expect_code 3 "$VQSIM" trace info "$rejects/pcap/ng_unsorted_interfaces.pcapng" --order reject
expect_err "packet 3: goes back 50.000000 us"
finish
