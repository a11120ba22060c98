#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Captures through the program: replayed, run again, written out. What it writes is read by other code than its own.
. "$SOURCE_DIR/tests/cli/library.sh"
traces=$SOURCE_DIR/scenarios/traces

# A scenario without costs: what goes in at one end comes out at the other at the same instant.
"$VQSIM" params --json >params.json || fail "params --json"
jq '[.params[] | select(.certificate) | {(.path): "0ns"}] | add' params.json >zero.json
[ "$(jq length zero.json)" -gt 50 ] || fail "costs of the parameters: $(head -c 200 zero.json)"
idle() { # TYPE FILE DURATION
  jq --arg type "$1" --arg file "$2" --arg duration "$3" '. + {version: 1, duration: $duration, warmup: "0s", replications: 1, jitter: 0,
    "host.backend.type": "kicked", workload: {type: $type, file: $file}}' zero.json
}

# 1. Every gap of a capture of a real driver is there again, and so is every size.
idle csv "$traces/redis_p1.txpkts.csv.gz" 700ms >idle.json
expect_code 0 "$VQSIM" run idle.json --pcapng wire.pcapng
zcat "$traces/redis_p1.txpkts.csv.gz" >table.csv
cat >read.py <<'PY'
import csv, struct, sys
from fractions import Fraction

data = open("wire.pcapng", "rb").read()
at, packets, resolution = 0, [], None
while at < len(data):
    kind, length = struct.unpack_from("<II", data, at)
    assert length % 4 == 0 and struct.unpack_from("<I", data, at + length - 4)[0] == length
    body = data[at + 8:at + length - 4]
    if kind == 0x0A0D0D0A:
        assert struct.unpack_from("<IHH", body) == (0x1A2B3C4D, 1, 0)
    elif kind == 1:
        assert struct.unpack_from("<H", body)[0] == 1  # Ethernet
        o = 8
        while o < len(body):
            code, size = struct.unpack_from("<HH", body, o)
            if code == 9:
                resolution = body[o + 4]
            o += 4 + (size + 3) // 4 * 4
    else:
        assert kind == 6
        _, high, low, captured, original = struct.unpack_from("<IIIII", body)
        frame = body[20:20 + captured]
        packets.append((Fraction((high << 32) + low, 10**12), original))
        assert captured == 42 and frame[12:14] == b"\x08\x00" and frame[23] == 17
        assert struct.unpack_from(">H", frame, 16)[0] == original - 14
        assert struct.unpack_from(">H", frame, 38)[0] == original - 34
        words = struct.unpack(">10H", frame[14:34])
        total = sum(words)
        assert (total & 0xFFFF) + (total >> 16) == 0xFFFF  # the header's own sum
    at += length
assert resolution == 12, resolution
rows = [(Fraction(r["t_s"]), int(r["len"])) for r in csv.DictReader(open("table.csv"))]
assert len(packets) > 7000, len(packets)
for i, (t, size) in enumerate(packets):
    assert size == rows[i][1], i
    assert t - packets[0][0] == rows[i][0] - rows[0][0], i
PY
python3 read.py || fail "the pcapng is not what was replayed"

# The same by the program's own reader, and by libpcap where tcpdump is there.
"$VQSIM" trace convert wire.pcapng >wire.csv 2>err || fail "convert: $(head -c 200 err)"
[ "$(wc -l <wire.csv)" -gt 7000 ] || fail "converted: $(wc -l <wire.csv) lines"
if command -v tcpdump >/dev/null; then
  [ "$(tcpdump -nr wire.pcapng 2>/dev/null | wc -l)" -eq "$(($(wc -l <wire.csv) - 1))" ] || fail "tcpdump counts otherwise"
fi

# 2. Bounded, and said so.
expect_code 0 "$VQSIM" run idle.json --pcapng few.pcapng --pcapng-packets 10
expect_err "few.pcapng holds the first 10 of "
[ "$("$VQSIM" trace convert few.pcapng 2>/dev/null | wc -l)" -eq 11 ] || fail "not 10 packets"

# What the short sweep shows is in the long one, word for word.
jq -S .cases "$traces/captures.json" >short.json
jq -S --slurpfile short short.json '.cases | with_entries(select(.key | in($short[0])))' "$traces/thr.json" >long.json
same short.json long.json
[ "$(jq '.cases | length' "$traces/thr.json")" -eq 6 ] || fail "not six captures"

# 3. A timeline: a row a party, bars of one party do not overlap, an arrow begins before it ends.
expect_code 0 "$VQSIM" run "$traces/thr.json" --set replications=1 --set duration=3ms --timeline line.json --window 2ms..3ms --case sendfile
cat >line.py <<'PY'
import json, sys
from decimal import Decimal

entries = json.load(open("line.json"), parse_float=Decimal)["traceEvents"]
names = {e["tid"]: e["args"]["name"] for e in entries if e["ph"] == "M" and e["name"] == "thread_name"}
assert set(names.values()) >= {"workload", "guest CPU", "backend CPU", "device", "peer"}, names
for tid in names:
    bars = [e for e in entries if e["ph"] == "X" and e["tid"] == tid]
    end = Decimal(0)
    for e in bars:
        assert e["ts"] >= end, (names[tid], e)
        end = e["ts"] + e["dur"]
        assert end >= 2000 and e["ts"] <= 3000
bars = {names[e["tid"]] for e in entries if e["ph"] == "X"}
assert bars == {"guest CPU", "backend CPU"}, bars
guest = sum(e["dur"] for e in entries if e["ph"] == "X" and names[e["tid"]] == "guest CPU")
assert 990 < guest < 1030, guest  # a sender that never rests
begun, sent, ended = ({e["id"]: e["ts"] for e in entries if e["ph"] == kind} for kind in "stf")
assert len(begun) > 50 and len(ended) > 40
assert all(begun[i] <= sent[i] <= ended[i] for i in ended), "an arrow points backwards"
PY
python3 line.py || fail "the timeline"

# 4. What was asked for and cannot be.
expect_code 2 "$VQSIM" run idle.json --window 1ms..2ms
expect_err "--window goes with --timeline"
expect_code 2 "$VQSIM" run idle.json --timeline x.json --window 2ms..1ms
expect_err "the end must be after the beginning"
expect_code 0 "$VQSIM" run idle.json --timeline x.json --window 900s..901s
expect_err "x.json is empty, nothing happened in its window; the run ends at 700 ms"
expect_code 2 "$VQSIM" run idle.json --timeline x.json --window 2ms
expect_err "two times are needed"
expect_code 3 "$VQSIM" run idle.json --pcapng x.pcapng --case none
expect_err "no case is named none: there are no cases"
expect_no_output
expect_code 4 "$VQSIM" run idle.json --pcapng /nonexistent/x.pcapng
expect_err "/nonexistent/x.pcapng"
expect_no_output
expect_code 4 "$VQSIM" run idle.json --pcapng /dev/full
expect_no_output

# 5. A store keeps which capture it was, and the same runs come again from it.
cp "$traces/tcp_tx_zc.txpkts.csv.gz" capture.gz
cat >study.json <<'JSON'
{"version": 1, "duration": "5ms", "replications": 2, "workload": {"type": "csv", "file": "capture.gz", "loop": true, "emulated": true},
 "sweep": {"workload.replay": ["timing", "marks"]}}
JSON
expect_code 0 "$VQSIM" sweep study.json --store s.db --no-probes
expect_code 0 "$VQSIM" rerun s.db --all
expect_out "run 4 is identical"
expect_code 0 "$VQSIM" export s.db --json
sum=$(zcat capture.gz | sha256sum | cut -d' ' -f1)
expect_json "[.configs[].params[\"workload.sha256\"]] | unique == [\"$sum\"]"
grep -q "$work" out && fail "the export names a place of this machine"
grep -aq "note: capture capture.gz: csv, 7840 packets" s.db || fail "the store does not say what was read"
mkdir other
cp out first.json
(cd other && cp ../capture.gz named.gz && sed 's/capture.gz/named.gz/' ../study.json >study.json &&
  "$VQSIM" sweep study.json --store s.db --no-probes && "$VQSIM" export s.db --json) >out 2>err || fail "another folder: $(head -c 200 err)"
jq -S '[.configs[] | {identity, runs}]' first.json >a.json
tail -n +1 out | sed -n '/^{/,$p' | jq -S '[.configs[] | {identity, runs}]' >b.json
same a.json b.json
rm capture.gz
expect_code 3 "$VQSIM" rerun s.db 1
expect_err "capture.gz"
expect_no_output

# 6. The note of a run says what was read, and whose gaps they are.
cp "$traces/tcp_tx_zc.txpkts.csv.gz" capture.gz
expect_code 0 "$VQSIM" run study.json
expect_out "capture capture.gz: csv, 7840 packets in 0.972243 s"
expect_out "the gaps are an emulated machine's"
marks() { "$VQSIM" "$1" study.json --set workload.replay=marks --set workload.loop=false --set duration=200ms "${@:2}"; }
expect_code 0 marks run
expect_err "workload.loop: false, and the capture ended before the run did"

# A sweep and its store say so, too; and that nothing is measured of a capture that ends in the warm-up.
jq 'del(.workload.loop) | .duration = "100ms"' study.json >loop.json
expect_code 0 "$VQSIM" sweep loop.json --vary workload.replay=marks --vary workload.loop=true,false --vary warmup=1ms,100ms --store ends.db --no-probes
expect_err "the capture ended before the run did: nothing came from there on, and rates per second are too low, in 1 of 4 configurations"
expect_err "the capture ends in the warm-up: nothing is measured, in 1 of 4 configurations"
grep -aq "the capture ended before the run did" ends.db || fail "the store does not say that a capture ended"
expect_code 0 "$VQSIM" sweep loop.json --vary workload.replay=marks --vary workload.loop=true,false --vary warmup=1ms,100ms --store ends.db --no-probes --json
expect_json '[.warnings[] | select(contains("workload.loop: false"))] | length == 2'

# By marks the sender is never idle, so that its rate does not depend on how long it is watched.
rate() { "$VQSIM" run loop.json --set workload.replay=marks --json "$@" 2>err | jq '.variants[0].metrics.tx_pps.mean'; }
short=$(rate --set duration=40ms)
long=$(rate --set duration=400ms)
[ "$(rate --set duration=400ms --set workload.loop=true)" = "$long" ] || fail "marks do not begin again by themselves"
jq -n --argjson a "$short" --argjson b "$long" '$a / $b | . > 0.97 and . < 1.03' | grep -q true || fail "rates $short and $long"

# 6a. A capture at the tap: whose packets were sent, and which model, are told wherever it is used.
cp "$SOURCE_DIR/tests/study/data/traces/tcp_tx_p8.pcap.gz" tap.pcap.gz
echo '{"version": 1, "duration": "5ms", "replications": 1, "workload": {"type": "pcap", "file": "tap.pcap.gz", "replay": "marks"}}' >tap.json
expect_code 0 "$VQSIM" sweep tap.json --vary virtio_desc_cache_thr=0,18 --store tap.db --no-probes
expect_err "they come from more than one address: "
expect_err "workload.sg_model: entries of "
grep -aq "as sendfile" tap.db || fail "the store does not say which model it was"
grep -aq "more than one address" tap.db || fail "the store does not say that packets are mixed"
expect_code 0 "$VQSIM" sweep tap.json --vary virtio_desc_cache_thr=0,18 --vary workload.sg_model=write,sendfile --no-probes
grep -q "come from a model" err && fail "both models are swept, and one is warned of"

# A case alone, and of what it needs only.
expect_code 0 "$VQSIM" run "$traces/thr.json" --case redis --set duration=2ms --set replications=1
expect_out "capture redis_p1.txpkts.csv.gz"
[ "$(grep -c "^capture " out)" -eq 1 ] || fail "captures of other cases are listed"
grep -q "sendfile" out && fail "a case that was not asked for"

# 7. Gaps of an emulated machine alone choose no default; with the marks beside them they are one end of a bracket.
expect_code 0 "$VQSIM" sweep study.json --store both.db --no-probes --vary virtio_desc_cache_thr=0,18
expect_code 0 "$VQSIM" recommend both.db
expect_out "recommended: guest.virtio_desc_cache_thr 18"
expect_out "(gaps of an emulated machine: set aside)"
expect_out "take the two ways as a bracket"
expect_code 0 "$VQSIM" recommend both.db --json
expect_json '[.cases[].set_aside] == [false, true]'
expect_code 0 "$VQSIM" sweep study.json --store alone.db --no-probes --vary virtio_desc_cache_thr=0,18 --vary workload.replay=timing
expect_code 0 "$VQSIM" recommend alone.db
expect_out "recommended: guest.virtio_desc_cache_thr none"
expect_out "every case replays the gaps of an emulated machine"
expect_out "not swept"
if command -v gnuplot >/dev/null; then
  expect_code 0 "$VQSIM" report alone.db -o page
  grep -q "no default follows" page/index.html || fail "the page does not say that timing alone chooses nothing"
fi

finish
