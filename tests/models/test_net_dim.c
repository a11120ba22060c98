/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What net_dim does to a device that coalesces exactly as told: packets at constant gaps, a sample at every
 * interrupt, a new profile in force at once. The vectors hold single decisions; this holds where they lead.
 */
#include "models/net_dim.h"
#include "tests/suite.h"

#define PACKET_BYTES 64u

struct fluid {
    struct net_dim dim;
    uint64_t interrupts, commands, packets;
    uint64_t at_profile_ns[NET_DIM_PROFILES];
    int64_t now_ns;
};

/* Packets of one interrupt: those up to usecs after the first one, at most `packets`. */
static uint64_t batch(const struct net_dim_profile *p, int64_t gap_ns)
{
    uint64_t in_time = 1000u * p->usecs / (uint64_t)gap_ns + 1;

    return in_time < p->packets ? in_time : p->packets;
}

static void interrupt(struct fluid *f, int64_t gap_ns)
{
    const struct net_dim_profile *p =
        &net_dim_profiles[NET_DIM_RX][NET_DIM_EQE][f->dim.profile];
    struct net_dim_sample sample;
    int64_t before_ns = f->now_ns, first_ns = (int64_t)(f->packets + 1) * gap_ns;
    uint64_t count = batch(p, gap_ns);
    bool full = count == p->packets;

    f->packets += count;
    f->now_ns = full ? first_ns + (int64_t)(count - 1) * gap_ns : first_ns + 1000 * p->usecs;
    f->at_profile_ns[f->dim.profile] += (uint64_t)(f->now_ns - before_ns);
    f->interrupts++;
    sample = (struct net_dim_sample){.time_ns = f->now_ns,
                                     .packets = (uint32_t)f->packets,
                                     .bytes = (uint32_t)(f->packets * PACKET_BYTES),
                                     .events = (uint16_t)f->interrupts};
    if (net_dim(&f->dim, &sample)) {
        f->commands++;
        net_dim_applied(&f->dim);
    }
}

static struct fluid run(uint32_t packets_per_s, uint64_t interrupts)
{
    struct fluid f = {0};

    net_dim_init(&f.dim, NET_DIM_EVENTS, NET_DIM_SIGNIFICANT);
    while (f.interrupts < interrupts) {
        interrupt(&f, 1000000000 / packets_per_s);
    }
    return f;
}

/* Ten moves of 65 interrupts each (one arms), ten windows of rest: where 1 and 8 us give one packet an interrupt. */
START_TEST(low_rates_hunt_between_the_first_two_profiles)
{
    const uint32_t rates[] = {10000, 20000, 50000, 100000};
    struct fluid f = run(rates[_i], 129000);
    uint64_t all = 0;

    ck_assert_uint_ge(f.commands, 998);
    ck_assert_uint_le(f.commands, 1002);
    for (uint32_t i = 0; i < NET_DIM_PROFILES; i++) {
        all += f.at_profile_ns[i];
    }
    ck_assert_double_eq_tol((double)f.at_profile_ns[0] / (double)all, 0.75, 0.01);
    ck_assert_double_eq_tol((double)f.at_profile_ns[1] / (double)all, 0.25, 0.01);
}
END_TEST

START_TEST(high_rates_park_at_256_us)
{
    const uint32_t rates[] = {200000, 500000, 1000000};
    struct fluid f = run(rates[_i], 20000);

    ck_assert_uint_eq(f.commands, 4);
    ck_assert_uint_eq(f.dim.profile, 4);
    ck_assert_uint_eq(f.dim.tune, NET_DIM_PARKED_TOP);
}
END_TEST

/* 256 packets come before the time is over, so neighbours are equal. */
START_TEST(the_packet_limit_makes_it_hunt)
{
    const uint32_t rates[] = {2000000, 5000000};
    const double expected[] = {61, 158};
    struct fluid f = run(rates[_i], 200000);
    uint32_t low = _i == 0 ? 3 : 2;

    ck_assert_double_eq_tol((double)f.commands / ((double)f.now_ns * 1e-9), expected[_i], 2);
    ck_assert_uint_gt(f.at_profile_ns[low], (uint64_t)f.now_ns / 10);
    ck_assert_uint_gt(f.at_profile_ns[low + 1], (uint64_t)f.now_ns / 10);
}
END_TEST

START_TEST(no_window_closes_while_a_profile_is_on_its_way)
{
    struct net_dim dim;
    struct net_dim_sample sample = {0};

    net_dim_init(&dim, NET_DIM_EVENTS, NET_DIM_SIGNIFICANT);
    require(!net_dim(&dim, &sample));
    sample = (struct net_dim_sample){
        .time_ns = 1000000, .packets = 64, .bytes = 4096, .events = NET_DIM_EVENTS};
    require(net_dim(&dim, &sample));
    for (int i = 0; i < 10; i++) {
        sample.time_ns += 1000000;
        sample.events += NET_DIM_EVENTS;
        sample.packets += 6400;
        require(!net_dim(&dim, &sample));
        ck_assert_uint_eq(dim.profile, 1);
    }
    net_dim_applied(&dim);
    require(!net_dim(&dim, &sample)); /* only arms */
    ck_assert_uint_eq(dim.state, NET_DIM_MEASURE);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = low_rates_hunt_between_the_first_two_profiles, .end = 4},
        {.test = high_rates_park_at_256_us, .end = 3},
        {.test = the_packet_limit_makes_it_hunt, .end = 2},
        {.test = no_window_closes_while_a_profile_is_on_its_way},
        {0}};

    return suite_run_cases("net_dim", NULL, NULL, cases);
}
