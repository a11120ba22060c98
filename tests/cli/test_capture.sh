#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts that capture prints: clean, bounded, asking for the events that the reader knows; and, on a
# tracefs made of plain files, that a run gives a bundle and puts everything back, also when it is stopped.
. "$SOURCE_DIR/tests/cli/library.sh"

expect_code 2 "$VQSIM" capture
expect_err "guest or host is needed"
expect_code 2 "$VQSIM" capture somewhere
expect_code 2 "$VQSIM" capture guest host
expect_err "one argument too many: 'host'"
expect_code 2 "$VQSIM" capture guest --seconds 0
expect_err "--seconds 0: a whole number of 1..600"
expect_code 2 "$VQSIM" capture guest --mib 1025
# shellcheck disable=SC2016 # these are no expansions
for dev in 'a b' '$(id)' "a'b" '' '-x' 'sixteen_letters_' 'a;b' 'a/b'; do
  expect_code 2 "$VQSIM" capture guest --dev "$dev"
  expect_no_output
done

# Clean and bounded, whatever the options.
for options in "guest" "host" "guest --dev ens3.100 --seconds 600 --mib 1024" "host --dev vnet12 --seconds 1 --mib 1"; do
  # shellcheck disable=SC2086
  expect_code 0 "$VQSIM" capture $options
  cp out script.sh
  bash -n script.sh || fail "$options: bash -n"
  shellcheck -x script.sh >shellcheck.out 2>&1 || fail "$options: $(head -n 20 shellcheck.out)"
  [ "$(wc -l <script.sh)" -le 300 ] || fail "$options: longer than 300 lines"
  expect_code 0 bash script.sh --dry-run
  cp out plan
  expect_code 2 bash script.sh --other
  # What it writes to is its own instance of tracing, or the list of probes, where it takes its own away again.
  grep -E '^(write|append) ' plan | grep -vE "' to [^']*/(instances/vqsim/[^']*|kprobe_events)$" >stray && fail "$options: $(cat stray)"
  grep -oE "^append 'p:vqsim/[a-z_]+" plan | sed 's/.*://' | sort >added
  grep -oE "^append '-:vqsim/[a-z_]+" plan | sed 's/.*://' | sort >removed
  same added removed
  [ -s added ] || fail "$options: no probes"
done

# The events of the guest's trace are those of the captures that the reader is tested with, and it knows each.
"$VQSIM" capture guest >script.sh
bash script.sh --dry-run >plan
sed '/^keep hist_/q' plan | sed -n 's|^write .1. to .*/events/.*/\([a-z_]*\)/enable$|\1|p' | sort >asked
gzip -dc "$SOURCE_DIR/tests/study/data/traces/tcp_tx_p8.trace.gz" |
  sed -nE 's/.*\[[0-9]+\] [^ ]+ +[0-9]+\.[0-9]+: ([a-z_]+): .*/\1/p' | sort -u >captured
same asked captured
while read -r event; do
  grep -q "{\"$event\", TRACE_KIND_" "$SOURCE_DIR/sim/study/trace_kind.c" || fail "the reader does not know $event"
done <asked

# A tracefs of plain files: sleep fills the trace, mkdir and rmdir make and remove an instance as the kernel would.
mkdir -p bin skeleton/options skeleton/per_cpu/cpu0 skeleton/per_cpu/cpu1
export PATH="$PWD/bin:$PATH" FAKE=$PWD
export TRACEFS=$FAKE/tracefs KALLSYMS=$FAKE/kallsyms
cat >kallsyms <<'END'
ffffffff81d33d20 t virtqueue_add_indirect_packed
ffffffff81d33400 t virtqueue_add_split
ffffffff81d33400 t __pfx_other_name_of_it
ffffffff81d33e80 T virtqueue_kick
ffffffff81d33c00 t detach_buf_split
END
for file in tracing_on trace_clock buffer_size_kb options/overwrite trace events/enable; do
  mkdir -p "$(dirname skeleton/$file)"
  touch skeleton/$file
done
for event in net/net_dev_start_xmit net/netif_receive_skb napi/napi_poll irq/irq_handler_entry kmem/kmalloc vqsim/vq_add \
  vqsim/vq_kickp vqsim/vq_notify sched/sched_waking sched/sched_switch kvm/kvm_exit vqsim/vhost_signal; do
  mkdir -p skeleton/events/$event
  touch skeleton/events/$event/enable skeleton/events/$event/filter skeleton/events/$event/trigger
  echo "{ num: 18 } hitcount: 5" >skeleton/events/$event/hist
done
echo "dropped events: 0" >skeleton/per_cpu/cpu0/stats
echo "dropped events: 7" >skeleton/per_cpu/cpu1/stats # its buffer was full at 5.000030
echo "  a-1  [001] b..1.     5.000030: vq_kickp: (virtqueue_kick_prepare+0x0/0xd0) idx=1" >skeleton/per_cpu/cpu1/trace
cat >trace <<'END'
# tracer: nop
  a-1  [000] b..1.     5.000010: net_dev_start_xmit: dev=eth9 queue_mapping=0 len=1514 data_len=1448
  a-1  [000] b..1.     5.000011: vq_add: (virtqueue_add_outbuf+0x0/0x60) idx=1 nfree=256 num=2
  a-1  [000] b..1.     5.000013: net_dev_start_xmit: dev=eth9 queue_mapping=0 len=60 data_len=0
  a-1  [000] b..1.     5.000021: net_dev_start_xmit: dev=eth9 queue_mapping=0 len=60 data_len=0
  a-1  [001] b..1.     5.000030: vq_kickp: (virtqueue_kick_prepare+0x0/0xd0) idx=1
  a-1  [000] b..1.     5.000031: net_dev_start_xmit: dev=eth9 queue_mapping=0 len=60 data_len=0
END
cat >wakes <<'END'
  a-1  [000] d..1.     6.000010: sched_waking: comm=vhost-77 pid=78 prio=120 target_cpu=001
  a-1  [001] d..2.     6.000015: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_state=R ==> next_comm=vhost-77 next_pid=78 next_prio=120
  a-1  [000] d..1.     6.000020: sched_waking: comm=vhost-77 pid=78 prio=120 target_cpu=001
  a-1  [001] d..2.     6.000023: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_state=R ==> next_comm=vhost-77 next_pid=78 next_prio=120
END
cat >bin/sleep <<'END'
#!/bin/sh
instance=$TRACEFS/instances/vqsim
[ -z "$STOP" ] || [ ! -d "$instance" ] || kill -TERM $PPID
[ -d "$instance" ] || exit 0
if [ "$(cat "$instance/events/sched/sched_switch/enable")" = 1 ]; then
  cp "$FAKE/wakes" "$instance/trace" # it was cleared, and its counts with it
  cp "$instance/per_cpu/cpu0/stats" "$instance/per_cpu/cpu1/stats"
else cp "$FAKE/trace" "$instance/trace"; fi
END
cat >bin/mkdir <<'END'
#!/bin/sh
/bin/mkdir "$@" || exit 1
case $1 in */instances/vqsim) cp -r "$FAKE/skeleton/." "$1" ;; esac
END
cat >bin/rmdir <<'END'
#!/bin/sh
cat "$1/tracing_on" "$1/events/enable" >"$FAKE/state"
cat "$1"/events/*/*/filter >"$FAKE/filters"
rm -r -- "$1"
END
cat >bin/readlink <<'END'
#!/bin/sh
case $2 in */driver) echo /drivers/virtio_net ;; *) echo /devices/virtio7 ;; esac
END
cat >bin/perf <<'END'
#!/bin/sh
[ "$1" = record ] || echo "    27.46%  [kernel.kallsyms]  [k] virtqueue_add"
END
printf '#!/bin/sh\necho "$@"\n' >bin/ethtool
for tool in ip tc lscpu bpftrace; do cp bin/ethtool bin/$tool; done
chmod +x bin/*

fresh() {
  rm -rf tracefs run
  /bin/mkdir -p tracefs/instances run
  echo "p:other/probe something" >tracefs/kprobe_events
}
put_back() {
  [ ! -e tracefs/instances/vqsim ] || fail "$1: the instance is still there"
  [ "$(tr '\n' ' ' <state)" = "0 0 " ] || fail "$1: tracing was not stopped first"
  grep -o '^p:vqsim/[a-z_]*' tracefs/kprobe_events | sed 's/.*://' | sort >added
  grep -o '^-:vqsim/[a-z_]*' tracefs/kprobe_events | sed 's/.*://' | sort >removed
  same added removed
  [ -s added ] || fail "$1: no probes"
  grep -q '^p:other/probe' tracefs/kprobe_events || fail "$1: other probes are gone"
}

fresh
"$VQSIM" capture guest --dev eth9 --seconds 1 >script.sh
(cd run && expect_code 0 bash ../script.sh && cp out err ..) || fail "guest: no run"
put_back guest
tar -xzf run/vqsim-guest-*.tar.gz --strip-components 1 -C run || fail "guest: no bundle"
for file in kernel channels rings offloads interrupts_before interrupts_after statistics_after hist_vq_add hist_napi_poll profile wake_ns trace; do
  [ -s run/$file.txt ] || fail "guest: $file.txt is missing: $(cat err)"
done
[ "$(tail -n 1 run/trace.txt)" = "$(sed -n 6p trace)" ] || fail "the trace does not end where the first buffer was full"
expect_code 0 "$VQSIM" trace info run/trace.txt --dev eth9
expect_out "packets       3"
[ "$(cat run/gaps.tsv)" = $'direction\tfrom_us\tgaps\nsent\t2\t1\nsent\t8\t1' ] || fail "gaps: $(cat run/gaps.tsv)"
grep -q 'ends at 5.000030 s: a buffer of 32 MiB was full' run/notes.txt || fail "notes: $(cat run/notes.txt)"
sites='(call_site>=0xffffffff81d33400&&call_site<0xffffffff81d33c00)||(call_site>=0xffffffff81d33d20&&call_site<0xffffffff81d33e80)'
grep -qxF "$sites" filters || fail "call sites: $(cat filters)"
grep -q 'virtqueue_add$' run/profile.txt || fail "no profile"

fresh
"$VQSIM" capture host --dev lo --seconds 1 >script.sh
(cd run && expect_code 0 bash ../script.sh && cp out err ..) || fail "host: no run"
put_back host
tar -xzf run/vqsim-host-*.tar.gz --strip-components 1 -C run || fail "host: no bundle"
[ "$(tail -n 1 run/wake_latency.tsv)" = $'vhost-77\t2\t3\t5\t5' ] || fail "wakes: $(cat run/wake_latency.tsv)"
grep -q "not written: 'hist:keys=common_pid' to .*kvm_msi_set_irq" run/notes.txt || fail "a missing event is not noted"

fresh
(cd run && STOP=1 bash ../script.sh >/dev/null 2>&1)
[ $? -eq 143 ] || fail "stopped: not by the signal"
put_back stopped
[ -z "$(ls run)" ] || fail "stopped: a bundle"

fresh
/bin/mkdir tracefs/instances/vqsim
expect_code 1 bash script.sh
expect_err "another capture runs"
[ -d tracefs/instances/vqsim ] || fail "another one's instance is gone"
finish
