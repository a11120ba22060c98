# SPDX-License-Identifier: GPL-3.0-or-later
# The guest's side: the virtio-net driver of one device.
snapshot() { # before or after
  keep "interrupts_$1.txt" cat /proc/interrupts
  keep "softirqs_$1.txt" cat /proc/softirqs
  keep "softnet_$1.txt" cat /proc/net/softnet_stat
  keep "statistics_$1.txt" ethtool -S "$dev"
}

# Where tables of requests are made: a filter of addresses for kmalloc; empty where symbols are hidden.
call_sites() {
  grep -i ' t ' "${KALLSYMS:-/proc/kallsyms}" | LC_ALL=C sort | awk '
    start != "" && $1 != start { printf "%s(call_site>=0x%s&&call_site<0x%s)", or, start, $1; or = "||"; start = "" }
    start == "" && $1 !~ /^0+$/ && $3 ~ /^(virtqueue_add_(split|packed|indirect_packed)|alloc_indirect)/ { start = $1 }'
}

device=/sys/class/net/$dev/device
if [ $dry = 0 ]; then
  driver=$(basename "$(readlink -f "$device/driver")")
  [ "$driver" = virtio_net ] || fail "$dev is no virtio-net device (driver: $driver); see: ip link"
fi
virtio=$(basename "$(readlink -f "$device")")
begin

keep_machine
keep channels.txt ethtool -l "$dev"
keep rings.txt ethtool -g "$dev"
keep coalescing.txt ethtool -c "$dev"
keep features.txt cat "$device/features"
keep modules.txt grep -r . /sys/module/virtio_net/parameters /sys/module/virtio_ring/parameters
keep byte_queue_limits.txt grep -r . "/sys/class/net/$dev/queues" --include=limit --include=xps_cpus
keep slabs.txt grep -r . /sys/kernel/slab/kmalloc-32 /sys/kernel/slab/kmalloc-64 /sys/kernel/slab/kmalloc-512 \
  --include=object_size --include=objs_per_slab --include=cpu_partial --include=cpu_slabs

snapshot before
if [ $dry = 1 ]; then echo "sleep $seconds"; else sleep "$seconds"; fi
snapshot after

# idx and num_free of a queue stand 40 and 44 bytes into it (kernels 5.x, 6.x); 0 receives, 1 sends.
begin_tracing
probe vq_add "virtqueue_add_outbuf idx=+40(\$arg1):u32 nfree=+44(\$arg1):u32 num=\$arg3:u32"
probe vq_kickp "virtqueue_kick_prepare idx=+40(\$arg1):u32 nfree=+44(\$arg1):u32"
probe vq_notify "vp_notify idx=+40(\$arg1):u32" || probe vq_notify "vm_notify idx=+40(\$arg1):u32" # PCI, MMIO
event net/net_dev_start_xmit "name == \"$dev\""
event net/netif_receive_skb "name == \"$dev\""
event napi/napi_poll "dev_name == \"$dev\""
event irq/irq_handler_entry "name ~ \"$virtio-*\""
event vqsim/vq_add
event vqsim/vq_kickp
event vqsim/vq_notify
count vqsim/vq_add idx,num
count vqsim/vq_notify idx
count napi/napi_poll work
if [ $dry = 1 ]; then sites='call_site within virtqueue_add_split, virtqueue_add_packed'; else sites=$(call_sites); fi
if [ -n "$sites" ]; then
  event kmem/kmalloc "$sites"
  count kmem/kmalloc "bytes_req,bytes_alloc if $sites"
else
  note "kmalloc left out: the kernel shows no addresses (kernel.kptr_restrict)"
fi
record "$seconds"
keep_counts vqsim/vq_add vqsim/vq_notify napi/napi_poll kmem/kmalloc
keep_trace trace.txt
keep_gaps trace.txt
keep_wakes 'pid > 0' 'next_pid > 0'
keep_wakes_long
keep_profile
pack
