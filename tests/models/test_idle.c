/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Idle states by expected gap, halt-polling windows against sequences worked out by hand, and a vCPU's way back from
 * wherever it stands.
 */
#include <math.h>

#include "models/vcpu.h"
#include "tests/suite.h"

#define US SIM_US

static struct idle idle_of(enum idle_cpu cpu, uint32_t deepest)
{
    struct idle idle;

    idle_init(&idle, &(struct idle_config){.cpu = (int)cpu, .deepest = deepest}, 1, 0, "test");
    return idle;
}

/* What waking takes once gaps of this length are expected. */
static sim_time exit_after(enum idle_cpu cpu, uint32_t deepest, sim_time gap)
{
    struct idle idle = idle_of(cpu, deepest);

    for (uint32_t i = 0; i < IDLE_GAPS; i++) {
        idle_leave(&idle, gap);
    }
    return idle_enter(&idle);
}

START_TEST(the_deepest_state_that_pays_is_entered)
{
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 4, 1 * US), 0);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 4, 2 * US), 2 * US);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 4, 19 * US), 2 * US);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 4, 20 * US), 10 * US);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 4, 599 * US), 10 * US);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 4, 600 * US), 133 * US);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 2, 600 * US), 10 * US);
    ck_assert_int_eq(exit_after(IDLE_SKYLAKE, 0, 600 * US), 0);
    ck_assert_int_eq(exit_after(IDLE_GRANITE_RAPIDS, 4, 1000 * US), 210 * US);
    ck_assert_int_eq(exit_after(IDLE_EPYC, 4, 799 * US), 1 * US);
    ck_assert_int_eq(exit_after(IDLE_NONE, 4, 1000 * US), 0);
}
END_TEST

START_TEST(deeper_states_take_longer_and_need_longer_gaps)
{
    for (int cpu = IDLE_NONE + 1; cpu < IDLE_CPUS; cpu++) {
        uint32_t count;
        const struct idle_state *state = idle_states((enum idle_cpu)cpu, &count);

        ck_assert_uint_ge(count, 2);
        for (uint32_t i = 1; i < count; i++) {
            ck_assert_uint_gt(state[i].residency_us, state[i - 1].residency_us);
            ck_assert_uint_gt(state[i].exit_us, state[i - 1].exit_us);
        }
    }
}
END_TEST

START_TEST(one_long_gap_among_short_ones_is_not_expected_again)
{
    struct idle idle = idle_of(IDLE_SKYLAKE, 4);

    ck_assert_int_eq(idle_expected(&idle), 0);
    for (int i = 0; i < 7; i++) {
        idle_leave(&idle, 10 * US);
    }
    idle_leave(&idle, 5000 * US);
    ck_assert_int_eq(idle_expected(&idle), 10 * US);
    idle_leave(&idle, 5000 * US); /* two of eight are no exception */
    ck_assert_int_gt(idle_expected(&idle), 600 * US);
}
END_TEST

/* Mean and standard deviation of 40,000 draws, within 5 standard errors; those of the deviation from the fourth moment
 * of the law: 9 and 41 (lognormal) times that of the variance. */
START_TEST(laws_of_the_scheduler_have_one_mean_and_spread)
{
    const double fourth[] = {[IDLE_EXPONENTIAL] = 9, [IDLE_LOGNORMAL] = 41};
    const int draws = 40000;

    for (int law = IDLE_EXPONENTIAL; law <= IDLE_LOGNORMAL; law++) {
        double sum = 0, squares = 0, mean, variance;
        struct idle idle;

        idle_init(&idle, &(struct idle_config){.sched = 100 * US, .sched_law = law}, 1, 0, "test");
        for (int i = 0; i < draws; i++) {
            double x = (double)idle_enter(&idle) / (100.0 * US);

            require(x >= 0);
            sum += x;
            squares += x * x;
        }
        mean = sum / draws;
        variance = squares / draws - mean * mean;
        if (law == IDLE_CONSTANT) {
            ck_assert_double_eq_tol(mean, 1, 1e-9);
            ck_assert_double_eq_tol(variance, 0, 1e-9);
            continue;
        }
        ck_assert_double_eq_tol(mean, 1, 5 / sqrt(draws));
        ck_assert_double_eq_tol(variance, 1, 5 * sqrt((fourth[law] - 1) / draws));
    }
}
END_TEST

static struct halt_poll kvm(uint32_t shrink)
{
    struct halt_poll p;

    halt_poll_init(&p, &(struct halt_poll_config){.most = 200 * US,
                                                  .grow_start = 10 * US,
                                                  .grow = 2,
                                                  .shrink = shrink,
                                                  .floor = true});
    return p;
}

START_TEST(windows_of_kvm_grow_by_steps_and_fall)
{
    const sim_time grown[] = {10, 20, 40, 80, 160, 200, 200}, fallen[] = {100, 50, 25, 12, 0};
    struct halt_poll p = kvm(0);

    for (int i = 0; i < 7; i++) {
        halt_poll_end(&p, i == 6 ? 199 * US : p.window + 1);
        ck_assert_int_eq(p.window, grown[i] * US);
    }
    ck_assert_uint_eq(p.blocked, 6);
    ck_assert_uint_eq(p.polled, 1); /* 199 us end inside a window of 200 */
    halt_poll_end(&p, 200 * US);
    ck_assert_int_eq(p.window, 200 * US); /* still inside */
    halt_poll_end(&p, 201 * US);
    ck_assert_int_eq(p.window, 0); /* shrink 0 */
    p = kvm(2);
    p.window = 200 * US;
    for (int i = 0; i < 5; i++) {
        halt_poll_end(&p, 1000 * US);
        ck_assert_int_eq(p.window / US, fallen[i]);
    }
}
END_TEST

START_TEST(polling_time_is_the_shorter_of_block_and_window)
{
    struct halt_poll p = kvm(2);

    p.window = 40 * US;
    halt_poll_end(&p, 15 * US);
    ck_assert_int_eq(p.spent, 15 * US);
    ck_assert_int_eq(p.window, 40 * US);
    halt_poll_end(&p, 90 * US);
    ck_assert_int_eq(p.spent, 55 * US);
    ck_assert_int_eq(p.window, 80 * US);
}
END_TEST

START_TEST(no_polling_is_asked_for_and_none_happens)
{
    struct halt_poll p;

    halt_poll_init(&p, &(struct halt_poll_config){.grow_start = 10 * US, .grow = 2});
    halt_poll_end(&p, 5 * US);
    require(p.window == 0 && p.spent == 0 && !halt_poll_meets(&p, 0));
}
END_TEST

static const struct vcpu_config polls = {.halt_poll = 200 * US,
                                         .halt_poll_grow_start = 10 * US,
                                         .halt_poll_grow = 2,
                                         .halt_poll_shrink = 2,
                                         .poll_exit = 1 * US,
                                         .guest_poll_exit = US / 5};

/* Idles at `from` and is woken after `block`; what the way back takes. */
static sim_time nap(struct vcpu *v, sim_time *now, sim_time block)
{
    sim_time way;

    vcpu_begin_idle(v, *now);
    *now += block;
    way = vcpu_wake(v, *now);
    vcpu_end_idle(v, *now + way);
    *now += way + 5 * US;
    return way;
}

START_TEST(a_vcpu_is_woken_from_where_it_stands)
{
    struct vcpu_config both = polls;
    struct vcpu v;
    sim_time now = 0;

    vcpu_init(&v, &(struct vcpu_config){0}, &(struct idle_config){0}, 4 * US, 1, 0, "test");
    ck_assert_int_eq(nap(&v, &now, 30 * US), 4 * US); /* the default: the same after any gap */
    ck_assert_int_eq(vcpu_polled(&v), 0);

    vcpu_init(&v, &polls, &(struct idle_config){0}, 4 * US, 1, 0, "test");
    ck_assert_int_eq(nap(&v, &now, 15 * US), 4 * US); /* window 0, then 10 */
    ck_assert_int_eq(nap(&v, &now, 15 * US), 4 * US); /* then 20 */
    ck_assert_int_eq(nap(&v, &now, 15 * US), 1 * US);
    ck_assert_int_eq(vcpu_polled(&v), 25 * US);

    both.haltpoll = 200 * US;
    both.haltpoll_start = 50 * US;
    both.haltpoll_grow = both.haltpoll_shrink = 2;
    vcpu_init(&v, &both, &(struct idle_config){0}, 4 * US, 1, 0, "test");
    ck_assert_int_eq(nap(&v, &now, 40 * US), 4 * US); /* both windows 0; then 50 in the guest, 10 in KVM */
    ck_assert_int_eq(nap(&v, &now, 55 * US), 1 * US); /* 5 us into KVM's; the guest's grows to 100 */
    ck_assert_int_eq(nap(&v, &now, 55 * US), US / 5);
}
END_TEST

/* Polled for 10 us, the CPU under a vCPU that wakes every 40 us sleeps 30: C1E of Skylake. */
START_TEST(the_host_cpu_sleeps_only_after_polling)
{
    struct vcpu_config short_polls = polls;
    struct vcpu v;
    sim_time now = 0, way = 0;

    short_polls.halt_poll = 10 * US;
    vcpu_init(&v, &short_polls, &(struct idle_config){.cpu = IDLE_SKYLAKE, .deepest = 4}, 4 * US, 1,
              0, "test");
    v.host.window = 10 * US;
    for (int i = 0; i < 20; i++) {
        v.host.window = 10 * US;
        way = nap(&v, &now, 40 * US);
    }
    ck_assert_int_eq(way, 14 * US);
    ck_assert_int_eq(idle_expected(&v.idle), 30 * US);
}
END_TEST

START_TEST(a_second_event_waits_for_the_first_ones_way_back)
{
    struct vcpu v;

    vcpu_init(&v, &polls, &(struct idle_config){0}, 4 * US, 1, 0, "test");
    vcpu_begin_idle(&v, 0);
    ck_assert_int_eq(vcpu_wake(&v, 100 * US), 4 * US);
    ck_assert_int_eq(vcpu_wake(&v, 101 * US), 3 * US);
    ck_assert_int_eq(vcpu_wake(&v, 110 * US), 0);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {the_deepest_state_that_pays_is_entered,
                            deeper_states_take_longer_and_need_longer_gaps,
                            laws_of_the_scheduler_have_one_mean_and_spread,
                            one_long_gap_among_short_ones_is_not_expected_again,
                            windows_of_kvm_grow_by_steps_and_fall,
                            polling_time_is_the_shorter_of_block_and_window,
                            no_polling_is_asked_for_and_none_happens,
                            a_vcpu_is_woken_from_where_it_stands,
                            the_host_cpu_sleeps_only_after_polling,
                            a_second_event_waits_for_the_first_ones_way_back,
                            NULL};

    return suite_run("idle", cases);
}
