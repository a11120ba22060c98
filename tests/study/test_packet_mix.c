/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets as a mixture of few kinds: what is kept exactly, what is not, and by how much. */
#include <math.h>

#include "sim/study/packet_mix.h"
#include "tests/suite.h"

static struct packet_mix mix;
static struct workload_kind kinds[WORKLOAD_MIX_MOST];
static struct packet_mix_error off;

static void add(uint32_t frags, uint32_t size, int packets)
{
    while (packets-- > 0) {
        packet_mix_add(&mix, frags, size);
    }
}

/* Weight of all kinds of so many fragments. */
static double weight(uint32_t frags, uint32_t count)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += kinds[i].frags == frags ? kinds[i].weight : 0;
    }
    return sum;
}

START_TEST(few_kinds_are_kept_as_they_are)
{
    packet_mix_init(&mix);
    add(17, 65226, 5);
    add(0, 66, 7);
    add(1, 1514, 2);
    add(0, 14, 1);
    ck_assert_uint_eq(packet_mix_kinds(&mix, kinds, &off), 4);
    ck_assert(kinds[0].frags == 0 && kinds[0].size == 14 && kinds[0].weight == 1);
    ck_assert(kinds[1].frags == 0 && kinds[1].size == 66 && kinds[1].weight == 7);
    ck_assert(kinds[2].frags == 1 && kinds[2].size == 1514 && kinds[2].weight == 2);
    ck_assert(kinds[3].frags == 17 && kinds[3].size == 65226 && kinds[3].weight == 5);
    ck_assert(off.size_bytes == 0 && off.frags == 0 && off.share == 0 && off.size_rms_bytes == 0);
}
END_TEST

START_TEST(many_sizes_become_few_with_exact_shares_of_fragments)
{
    double bytes = 0, packets = 0, squared = 0;
    uint32_t count;

    packet_mix_init(&mix);
    for (uint32_t frags = 0; frags < 18; frags++) {
        for (uint32_t i = 0; i < 60; i++) {
            const uint32_t size = 60 + frags * 3000 + i * 50;

            add(frags, size, 1 + (int)((i * 7 + frags) % 5));
        }
    }
    count = packet_mix_kinds(&mix, kinds, &off);
    ck_assert_uint_eq(count, WORKLOAD_MIX_MOST);
    for (uint32_t frags = 0; frags < 18; frags++) {
        double counted = 0;

        for (uint32_t i = 0; i < 60; i++) {
            counted += 1 + (double)((i * 7 + frags) % 5);
        }
        ck_assert_double_eq(weight(frags, count), counted);
    }
    for (uint32_t i = 0; i < count; i++) {
        bytes += kinds[i].weight * kinds[i].size;
        packets += kinds[i].weight;
    }
    ck_assert_double_eq(packets, (double)mix.packets);
    ck_assert_double_eq_tol(bytes / packets - (double)mix.bytes / packets, off.size_bytes, 1e-9);
    ck_assert_double_le(fabs(off.size_bytes), 0.5); /* only sizes are rounded */
    ck_assert(off.share == 0 && fabs(off.frags) < 1e-12);
    /* One kind a number of fragments would be off by the spread of 60 steps of 50 bytes. */
    squared = 50.0 * 50.0 * (60.0 * 60.0 - 1) / 12;
    ck_assert_double_gt(off.size_rms_bytes, 0);
    ck_assert_double_lt(off.size_rms_bytes, sqrt(squared));
}
END_TEST

/* More numbers of fragments than kinds: those of the usual thresholds keep their shares. */
START_TEST(shares_of_the_usual_thresholds_are_exact_whatever_comes)
{
    static const uint32_t kept[] = {0, 1, 2, 3, 16, 17};
    uint32_t count;

    packet_mix_init(&mix);
    for (uint32_t frags = 0; frags < 50; frags++) {
        add(frags, 1000, 1);
        add(frags, 2000, 1 + (int)frags);
    }
    count = packet_mix_kinds(&mix, kinds, &off);
    ck_assert_uint_eq(count, WORKLOAD_MIX_MOST);
    ck_assert_uint_eq(mix.clipped, 48 + 49 + 50 + 51); /* of 46..49 fragments */
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        ck_assert_double_eq(weight(kept[i], count), 2 + kept[i]);
    }
    ck_assert_double_gt(off.share, 0);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {few_kinds_are_kept_as_they_are,
                            many_sizes_become_few_with_exact_shares_of_fragments,
                            shares_of_the_usual_thresholds_are_exact_whatever_comes, NULL};

    return suite_run("packet_mix", cases);
}
