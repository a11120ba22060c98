#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The scenarios of sockets and backends: what each expects, and roughly what docs/host.md says of it.
. "${SOURCE_DIR:?}/tests/cli/library.sh"

sweep() { # SCENARIO: its points in out
  rm -f sweep.db
  "$VQSIM" sweep "$SOURCE_DIR/scenarios/host/$1.json" --no-probes --expect --set replications=2 --store sweep.db --json >out 2>err ||
    fail "$1: $(cat err)"
}

# of(METRIC; FILTER; VARIANT): the mean at the point that the filter names; more(A; B): in percent above.
cat >of.jq <<'JQ'
def of($metric; filter; $variant): [.points[] | select(.params | filter) | .variants[] | select(.name == $variant)][0].metrics[$metric].mean;
def more($a; $b): 100 * ($a / $b - 1);
JQ
holds() { # JQ: true of out
  [ "$(jq "$(cat of.jq) $1" out)" = true ] || fail "not so: $1: $(jq -c '[.points[] | [.params, (.variants[] | [.name, .metrics.tx_pps.mean])]]' out)"
}

sweep backends
gain='def rate($case; $thr): of("tx_pps"; .case == $case and (.["guest.virtio_desc_cache_thr"] | tonumber) == $thr; "base");
def gain($case): more(rate($case; 4); rate($case; 0));'
for case in polling vhost-user DPU; do
  holds "$gain gain(\"$case\") | . > 14 and . < 23"
done
for case in kicked "tap, XDP_DROP"; do
  holds "$gain gain(\"$case\") | . > 4 and . < 14"
done
for case in "DPU, 2 reads in flight" macvtap tap card; do
  holds "$gain gain(\"$case\") | . > -0.5 and . < 0.5"
done

sweep local
cost='def cost($share; $variant): of("host_ns_per_packet"; (.["host.vhost.local_share"] | tonumber) == $share; $variant);'
holds "$cost more(cost(0; \"zerocopy\"); cost(0; \"copy\")) | . < -10 and . > -28"
holds "$cost cost(0.03; \"zerocopy\") < cost(0.03; \"copy\")"
holds "$cost cost(0.1; \"zerocopy\") > cost(0.1; \"copy\")"

sweep slow-dma
for size in 256 1024; do
  rate="def rate(\$variant): of(\"tx_pps\"; (.[\"guest.tx_ring.size\"] | tonumber) == $size; \$variant);"
  holds "$rate rate(\"equal\") < 0.5 * rate(\"copy\")"
  holds "$rate rate(\"above\") > 0.97 * rate(\"copy\")"
done

sweep external
holds 'more(of("host_cpu_busy_percent"; true; "zerocopy"); of("host_cpu_busy_percent"; true; "copy")) | . < -20 and . > -35'
holds 'more(100 - of("host_cpu_idle_percent"; true; "zerocopy"); 100 - of("host_cpu_idle_percent"; true; "copy")) | . < -10 and . > -18'

for scenario in batch batch-tcp metadata sendto xsk-copy copy-batch retry drops; do
  sweep "$scenario"
done
finish
