# SPDX-License-Identifier: GPL-3.0-or-later
# Run as root: bash FILE [--dry-run]. It measures four times, one after the other, and packs what it
# found into one tar file in this folder:
#   1. counters, with nothing traced    2. a trace and histograms    3. wake-ups    4. a perf profile
# Settings: tracing goes on in an instance of its own (tracefs instances/vqsim), with probes in a
# group of their own (vqsim); both are removed at the end, also after Ctrl-C. Nothing else is changed.
# Contents: names of processes, devices and kernel symbols, the device's hardware address, sizes and
# times of packets; none of their bytes, no IP address, no host name.
dry=0
case ${1:-} in
  --dry-run) dry=1 ;; # print what would be done; needs no root
  '') ;;
  *) echo "usage: bash FILE [--dry-run]" >&2; exit 2 ;;
esac
tracefs=/sys/kernel/tracing
[ -e "$tracefs/kprobe_events" ] || tracefs=/sys/kernel/debug/tracing
tracefs=${TRACEFS:-$tracefs}
instance=$tracefs/instances/vqsim
name=vqsim-$side-$(date +%Y%m%dT%H%M%S)
work=/tmp/vqsim-capture
made=0
probes=()

have() { command -v "$1" >/dev/null 2>&1; }
fail() { echo "capture: $*" >&2; exit 1; }
note() { echo "note: $*" >&2; echo "$*" >>"$out/notes.txt"; }

put() { # VALUE FILE: a setting of tracing
  if [ $dry = 1 ]; then echo "write '$1' to $2"; return; fi
  printf '%s\n' "$1" 2>/dev/null >"$2" || note "not written: '$1' to $2"
}

add() { # VALUE FILE: the same, to a file that is a list
  if [ $dry = 1 ]; then echo "append '$1' to $2"; return; fi
  printf '%s\n' "$1" 2>/dev/null >>"$2" || { note "not appended: '$1' to $2"; return 1; }
}

keep() { # FILE COMMAND...: its first 1 MiB of output
  local file=$1
  shift
  if [ $dry = 1 ]; then echo "keep $file: $*"; return; fi
  if ! have "$1"; then note "$file: no $1 here"; return; fi
  timeout $((seconds + 60)) "$@" 2>&1 | head -c 1048576 >"$out/$file"
}

finish() {
  trap - EXIT
  trap '' INT TERM # settings go back whole
  if [ $made = 1 ]; then
    put 0 "$instance/tracing_on"
    put 0 "$instance/events/enable"
    if [ $dry = 1 ]; then echo "rmdir $instance"; else rmdir "$instance" || echo "capture: not removed: $instance" >&2; fi
  fi
  for probe in ${probes[@]+"${probes[@]}"}; do add "-:$probe" "$tracefs/kprobe_events"; done
  [ $dry = 1 ] || rm -rf -- "$work"
}

begin() { # after this, finish always runs
  if [ $dry = 1 ]; then
    out=$work/$name
  else
    [ -w "$tracefs/kprobe_events" ] || fail "cannot write to $tracefs: run as root (and: mount -t tracefs tracefs $tracefs)"
    [ ! -e "$instance" ] || fail "$instance exists: another capture runs, or rmdir it"
    work=$(mktemp -d) || exit 1
    out=$work/$name
    mkdir "$out"
  fi
  trap finish EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

begin_tracing() {
  local cpus
  if [ $dry = 1 ]; then echo "mkdir $instance"; else mkdir "$instance" || fail "no instance of tracing"; fi
  made=1
  cpus=$(nproc)
  put 0 "$instance/tracing_on"
  put mono "$instance/trace_clock"
  put 0 "$instance/options/overwrite"
  put $((mib * 1024 / cpus + 1)) "$instance/buffer_size_kb"
}

probe() { # NAME DEFINITION: of the group vqsim
  add "p:vqsim/$1 $2" "$tracefs/kprobe_events" && probes+=("vqsim/$1")
}

event() { # SYSTEM/NAME [FILTER]
  [ -z "${2:-}" ] || put "$2" "$instance/events/$1/filter"
  put 1 "$instance/events/$1/enable"
}

count() { # SYSTEM/NAME KEYS: a histogram in the kernel, which loses nothing
  put "hist:keys=$2" "$instance/events/$1/trigger"
}

record() { # SECONDS
  put 1 "$instance/tracing_on"
  if [ $dry = 1 ]; then echo "sleep $1"; else sleep "$1"; fi
  put 0 "$instance/tracing_on"
}

keep_counts() { # SYSTEM/NAME...
  local e
  for e in "$@"; do keep "hist_${e#*/}.txt" cat "$instance/events/$e/hist"; done
}

# A CPU whose buffer is full records no more: what all have after the first of them was full is left out.
keep_trace() { # FILE
  local stats last end=''
  if [ $dry = 1 ]; then echo "keep $1: at most $lines lines of $instance/trace"; return; fi
  for stats in "$instance"/per_cpu/cpu*/stats; do
    grep -q '^dropped events: [1-9]' "$stats" || continue
    last=$(tail -n 1 "${stats%stats}trace" | awk 'match($0, /[0-9]+\.[0-9]+: /) { print substr($0, RSTART, RLENGTH - 2) }')
    end=$(printf '%s\n' "$last" "$end" | grep . | sort -n | head -n 1)
  done
  [ -z "$end" ] || note "$1 ends at $end s: a buffer of $mib MiB was full"
  awk -v end="$end" '/^#/ || end == "" || (match($0, /[0-9]+\.[0-9]+: /) && substr($0, RSTART, RLENGTH - 2) + 0 <= end + 0)' \
    "$instance/trace" | head -n "$lines" >"$out/$1"
}

# Time from a wake-up to the task's running, by name of the task: count, median, 99 %, longest.
keep_wakes() { # FILTER OF sched_waking, FILTER OF sched_switch
  put 0 "$instance/events/enable"
  put '' "$instance/trace"
  event sched/sched_waking "$1"
  event sched/sched_switch "$2"
  record 1
  keep_trace wakes.txt
  if [ $dry = 1 ]; then return; fi
  awk 'match($0, /[0-9]+\.[0-9]+: /) {
      at = int(substr($0, RSTART, RLENGTH - 2) * 1e6 + 0.5)
      if (/ sched_waking: / && match($0, / pid=[0-9]+/)) {
        woken[substr($0, RSTART + 5, RLENGTH - 5)] = at
      } else if (match($0, / next_pid=[0-9]+/)) {
        pid = substr($0, RSTART + 10, RLENGTH - 10)
        match($0, / next_comm=.* next_pid=/)
        if (pid in woken) printf "%s\t%.0f\n", substr($0, RSTART + 11, RLENGTH - 21), at - woken[pid]
        delete woken[pid]
      }
    }' "$out/wakes.txt" | sort -t "$(printf '\t')" -k1,1 -k2,2n | awk -F '\t' '
    function tell() { if (n) print task "\t" n "\t" us[int((n + 1) / 2)] "\t" us[int((99 * n + 99) / 100)] "\t" us[n] }
    BEGIN { print "task\twakes\tp50_us\tp99_us\tmax_us" }
    $1 != task { tell(); n = 0; task = $1 }
    { us[++n] = $2 }
    END { tell() }' >"$out/wake_latency.tsv"
  rm -f -- "$out/wakes.txt"
}

# The same in nanoseconds and for longer, where bpftrace is.
keep_wakes_long() {
  have bpftrace || [ $dry = 1 ] || return 0
  keep wake_ns.txt bpftrace -e "
    tracepoint:sched:sched_waking { @at[args->pid] = nsecs; }
    tracepoint:sched:sched_switch /@at[args->next_pid]/ {
      @ns[args->next_comm] = hist(nsecs - @at[args->next_pid]); delete(@at[args->next_pid]); }
    interval:s:$seconds { exit(); }
    END { clear(@at); }"
}

# Gaps between packets of one direction: counts by power of two microseconds.
keep_gaps() {
  if [ $dry = 1 ]; then echo "keep gaps.tsv: of $1"; return; fi
  printf 'direction\tfrom_us\tgaps\n' >"$out/gaps.tsv"
  awk 'match($0, / (net_dev_start_xmit|netif_receive_skb): /) && match($0, /[0-9]+\.[0-9]+: /) {
      at = int(substr($0, RSTART, RLENGTH - 2) * 1e6 + 0.5)
      kind = / net_dev_start_xmit: / ? "sent" : "received"
      if (kind in last) {
        bin = 0
        for (gap = at - last[kind]; gap >= 1; gap /= 2) bin++
        count[kind "\t" (bin ? 2 ^ (bin - 1) : 0)]++
      }
      last[kind] = at
    }
    END { for (k in count) print k "\t" count[k] }' "$out/$1" | sort -k1,1r -k2,2n >>"$out/gaps.tsv"
}

keep_profile() { # all CPUs; the samples themselves are not packed
  if [ $dry = 0 ] && ! have perf; then note "profile.txt: no perf here"; return; fi
  keep perf_record.txt perf record -q -a -F 997 --max-size 64M -o "$work/perf.data" -- sleep "$seconds"
  keep profile.txt perf report -i "$work/perf.data" --stdio --no-children --sort dso,symbol --percent-limit 0.05
}

keep_machine() { # what both sides are asked
  local config
  config=/boot/config-$(uname -r)
  keep kernel.txt uname -srvm
  keep cmdline.txt grep -oE '(mitigations|nohz|isolcpus|rcu_nocbs|tsc|clocksource|idle|intel_idle|processor|cpuidle|preempt|slab|slub|init_on|irqaffinity|transparent_hugepage|hugepages|virtio)[^ ]*' /proc/cmdline
  if [ -r "$config" ] || [ $dry = 1 ]; then
    keep config.txt grep -E '^CONFIG_(HZ|NO_HZ|PREEMPT|SL[AU]B|RANDOM_KMALLOC|INIT_ON|MAX_SKB|VIRTIO|VHOST|KVM|BQL|XDP|HARDENED|KASAN|DEBUG_VM|MITIG|CPU_MITIG)' "$config"
  else
    keep config.txt gzip -dc /proc/config.gz
  fi
  keep cpu.txt lscpu
  keep vulnerabilities.txt grep -r . /sys/devices/system/cpu/vulnerabilities
  keep clocksource.txt cat /sys/devices/system/clocksource/clocksource0/current_clocksource
  keep device.txt ip -s -d link show dev "$dev"
  keep qdisc.txt tc -s qdisc show dev "$dev"
  keep driver.txt ethtool -i "$dev"
  keep offloads.txt ethtool -k "$dev"
}

pack() {
  if [ $dry = 1 ]; then echo "pack $name.tar.gz"; return; fi
  tar -C "$work" -czf "$name.tar.gz" "$name" && echo "$name.tar.gz"
}
