#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What one simulated packet costs in instructions, on the AF_XDP path with the descriptor cache and through vhost by zerocopy, does not grow, and
# ten times the length takes the same memory. For release builds. It does not prove the limit: that is missed.
set -euo pipefail
. "$SOURCE_DIR/tests/bench/measure.sh"
most_growth_percent=5
failed=0

# Scenario, two lengths, the aim, and what is reached (1,845 and 2,350), which must not grow unnoticed. Both aims are
# missed, and said so: docs/performance.md.
for line in "xsk 2 8 1500 1900" "zerocopy 40 160 2000 2350"; do
    read -r name short long limit most <<<"$line"
    found=$(per_packet "$name" "$short" "$long")
    [ "$found" -le "$limit" ] || echo "$name: the limit of $limit instructions per packet is missed"
    echo "$name: $found instructions per packet, at most $most before this test fails"
    [ "$found" -gt 0 ] && [ "$found" -le "$most" ] || failed=1
done

for scenario in "xsk 20" "sendfile 100" "zerocopy 20"; do
    read -r name ms <<<"$scenario"
    once=$(peak_heap "$name" "$ms")
    tenfold=$(peak_heap "$name" "$((10 * ms))")
    echo "$name: heap of $once bytes, $tenfold at ten times the length, at most $most_growth_percent % more"
    [ "$once" -gt 0 ] && [ "$((100 * tenfold))" -le "$(((100 + most_growth_percent) * once))" ] || failed=1
done
exit "$failed"
