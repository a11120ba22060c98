# SPDX-License-Identifier: GPL-3.0-or-later
# The host's side: vhost workers, virtual CPUs, and the tap device of one guest. What the host
# receives from the tap is what the guest sent.
[ $dry = 1 ] || [ -e "/sys/class/net/$dev" ] || fail "no device $dev; see: ip link"
begin

keep_machine
keep modules.txt grep -r . /sys/module/vhost/parameters /sys/module/vhost_net/parameters /sys/module/kvm/parameters
keep threads.txt ps -eLo pid,lwp,psr,cls,ni,pcpu,comm
keep idle_states.txt grep -r . /sys/devices/system/cpu/cpu0/cpuidle --include=name --include=latency --include=disable
keep governor.txt grep . /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor

keep interrupts_before.txt cat /proc/interrupts
if [ $dry = 1 ]; then echo "sleep $seconds"; else sleep "$seconds"; fi
keep interrupts_after.txt cat /proc/interrupts

# A probe on a function that this kernel has not is noted and left out.
begin_tracing
probe handle_tx_kick handle_tx_kick
probe handle_rx_kick handle_rx_kick
probe vhost_signal vhost_signal
probe vhost_zerocopy vhost_zerocopy_complete
event net/net_dev_start_xmit "name == \"$dev\""
event net/netif_receive_skb "name == \"$dev\""
count kvm/kvm_exit exit_reason
count kvm/kvm_fast_mmio common_pid
count kvm/kvm_msi_set_irq common_pid
count vqsim/handle_tx_kick common_pid
count vqsim/handle_rx_kick common_pid
count vqsim/vhost_signal common_pid
count vqsim/vhost_zerocopy common_pid
record "$seconds"
keep_counts kvm/kvm_exit kvm/kvm_fast_mmio kvm/kvm_msi_set_irq vqsim/handle_tx_kick vqsim/handle_rx_kick \
  vqsim/vhost_signal vqsim/vhost_zerocopy
keep_trace trace.txt
keep_gaps trace.txt
keep_wakes 'comm ~ "vhost-*" || comm ~ "CPU*KVM"' 'next_comm ~ "vhost-*" || next_comm ~ "CPU*KVM"'
keep_wakes_long
keep_profile
pack
