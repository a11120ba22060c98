/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coalescing in the device: both limits, either at zero, what a change of limits does to a running period, and
 * devices that hold only some values.
 */
#include "models/coalesce.h"
#include "sim/engine/stream.h"
#include "tests/suite.h"

#define US SIM_US

static struct coalesce with(uint32_t usecs, uint32_t packets)
{
    struct coalesce c;

    coalesce_init(&c, NULL);
    require(!coalesce_set(&c, 0, usecs, packets));
    return c;
}

/* Uses `count` packets at a time; how many of them made a notification due. */
static uint32_t use(struct coalesce *c, sim_time now, uint32_t count)
{
    uint32_t due = 0;

    for (uint32_t i = 0; i < count; i++) {
        due += coalesce_on_used(c, now);
    }
    return due;
}

START_TEST(a_limit_of_zero_notifies_for_every_packet)
{
    const uint32_t limits[][2] = {{0, 0}, {0, 256}, {50, 0}};
    struct coalesce c = with(limits[_i][0], limits[_i][1]);

    ck_assert_uint_eq(use(&c, 0, 10), 10);
    require(coalesce_due(&c) == SIM_NEVER);
}
END_TEST

START_TEST(packets_end_a_period_before_its_time)
{
    struct coalesce c = with(50, 4);

    ck_assert_uint_eq(use(&c, 10 * US, 3), 0);
    require(coalesce_due(&c) == 60 * US);
    ck_assert_uint_eq(use(&c, 20 * US, 1), 1);
    require(coalesce_due(&c) == SIM_NEVER);
    require(!coalesce_on_timer(&c, 60 * US)); /* nothing is pending */
}
END_TEST

START_TEST(time_runs_from_the_first_packet)
{
    struct coalesce c = with(50, 256);

    require(coalesce_due(&c) == SIM_NEVER);
    use(&c, 100 * US, 1);
    use(&c, 140 * US, 1);
    require(coalesce_due(&c) == 150 * US);
    require(!coalesce_on_timer(&c, 150 * US - 1));
    require(coalesce_on_timer(&c, 150 * US));
    use(&c, 155 * US, 1);
    require(coalesce_due(&c) == 205 * US);
}
END_TEST

/* Ten sent, limit lowered from 15 to 8. */
START_TEST(a_lower_limit_that_is_met_notifies_at_once)
{
    struct coalesce c = with(1000, 15);

    ck_assert_uint_eq(use(&c, 0, 10), 0);
    require(coalesce_set(&c, 5 * US, 1000, 8));
    ck_assert_uint_eq(use(&c, 6 * US, 7), 0);
}
END_TEST

START_TEST(new_limits_count_from_the_stored_first_packet)
{
    struct coalesce c = with(100, 256);

    use(&c, 0, 1);
    require(!coalesce_set(&c, 30 * US, 40, 256));
    require(coalesce_due(&c) == 40 * US);
    require(!coalesce_set(&c, 35 * US, 200, 256));
    require(coalesce_due(&c) == 200 * US);
    require(coalesce_set(&c, 36 * US, 20, 256)); /* over since 20 us */
    use(&c, 50 * US, 1);
    require(coalesce_set(&c, 51 * US, 0, 256)); /* no coalescing: what is pending is due */
}
END_TEST

START_TEST(a_device_holds_the_value_below)
{
    const struct coalesce_steps steps = {.usecs = {8, 50, 90}, .count = 3};
    const uint32_t told[] = {1, 8, 49, 50, 89, 256}, held[] = {8, 8, 8, 50, 50, 90};
    struct coalesce c;

    coalesce_init(&c, &steps);
    for (int i = 0; i < 6; i++) {
        coalesce_set(&c, 0, told[i], 256);
        ck_assert_uint_eq(c.max_usecs, held[i]);
    }
}
END_TEST

/* Of any sequence: each period has at most max_packets and lasts at most max_usecs. */
START_TEST(no_packet_waits_longer_than_the_limits)
{
    struct stream s;
    struct coalesce c = with(30, 7);
    sim_time now = 0, first = SIM_NEVER;
    uint32_t inside = 0, notified = 0, used = 0;

    stream_init(&s, 7, 0, "coalesce");
    for (int i = 0; i < 200000; i++) {
        sim_time next = now + (sim_time)(stream_uniform(&s) * 20e6);
        bool due;

        if (coalesce_due(&c) <= next) {
            now = coalesce_due(&c);
            require(now == first + 30 * US);
            due = coalesce_on_timer(&c, now);
            require(due);
        } else {
            now = next;
            first = inside == 0 ? now : first;
            inside++;
            used++;
            due = coalesce_on_used(&c, now);
            require(due == (inside == 7));
        }
        if (due) {
            notified += inside;
            inside = 0;
        }
        require(c.packets == inside);
    }
    ck_assert_uint_eq(used, notified + inside);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {{.test = a_limit_of_zero_notifies_for_every_packet, .end = 3},
                                       {.test = packets_end_a_period_before_its_time},
                                       {.test = time_runs_from_the_first_packet},
                                       {.test = a_lower_limit_that_is_met_notifies_at_once},
                                       {.test = new_limits_count_from_the_stored_first_packet},
                                       {.test = a_device_holds_the_value_below},
                                       {.test = no_packet_waits_longer_than_the_limits},
                                       {0}};

    return suite_run_cases("coalesce", NULL, NULL, cases);
}
