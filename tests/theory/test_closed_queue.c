/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Closed loops: N customers who think and come back to one exponential server (machine repairman).
 * n of them are at the server with probability proportional to N!/(N - n)! (S/Z)^n, whatever the
 * law of the thoughts, only their mean Z counts (Baskett, Chandy, Muntz, Palacios 1975).
 */
#include "tests/theory/station.h"

#define REPLICATIONS 24
#define SERVICE      SIM_US
#define MOST         60

struct closed {
    struct sim sim;
    struct station station;
    struct thinker thinker[MOST];
};

static struct closed *closed_new(uint32_t customers, sim_time think,
                                 sim_time (*thought)(struct times *),
                                 sim_time (*service)(struct times *), uint32_t replication)
{
    struct closed *loop = calloc(1, sizeof *loop);

    sim_init(&loop->sim, SIM_FAST, EVENT_SET_AUTO);
    times_init(&loop->station.service, service, SERVICE, replication, "service");
    station_init(&loop->station, &loop->sim, 0);
    for (uint32_t i = 0; i < customers; i++) {
        char name[32];

        snprintf(name, sizeof name, "thought.%u", i);
        times_init(&loop->thinker[i].thought, thought, think, replication, name);
        loop->thinker[i].thought.sigma = 1;
        thinker_init(&loop->thinker[i], &loop->sim, &loop->station);
    }
    return loop;
}

static void closed_run(struct closed *loop, sim_time warmup, sim_time window)
{
    sim_run(&loop->sim, warmup);
    station_restart(&loop->station, warmup);
    sim_run(&loop->sim, warmup + window);
    station_check(&loop->station, warmup + window);
}

static void closed_free(struct closed *loop)
{
    times_fini(&loop->station.service);
    for (uint32_t i = 0; i < MOST; i++) {
        if (loop->thinker[i].station) {
            times_fini(&loop->thinker[i].thought);
        }
    }
    free(loop);
}

static void check_loop(uint32_t customers, double think, sim_time (*thought)(struct times *))
{
    double term = 1, sum = 0, inside = 0, idle;
    double busy_seen[REPLICATIONS], inside_seen[REPLICATIONS], rate_seen[REPLICATIONS];
    double load = customers / (1 + think);

    for (uint32_t n = 0; n <= customers; n++) {
        sum += term;
        inside += n * term;
        term *= (customers - n) / think;
    }
    idle = 1 / sum;
    for (uint32_t r = 0; r < REPLICATIONS; r++) {
        struct closed *loop =
            closed_new(customers, llround(think * (double)SERVICE), thought, times_exponential, r);

        closed_run(loop, 3000 * SERVICE, 40000 * SERVICE);
        busy_seen[r] = level_mean(&loop->station.busy, 43000 * SERVICE);
        inside_seen[r] = level_mean(&loop->station.inside, 43000 * SERVICE);
        rate_seen[r] = (double)loop->station.left / 40000;
        closed_free(loop);
    }
    check_theory("busy share", load, busy_seen, REPLICATIONS, 1 - idle);
    check_theory("inside", load, inside_seen, REPLICATIONS, inside / sum);
    check_theory("customers served", load, rate_seen, REPLICATIONS, 1 - idle);
}

START_TEST(theory_of_the_closed_loop_holds)
{
    check_loop(1, 2, times_exponential);
    check_loop(5, 6, times_exponential);
    check_loop(20, 10, times_exponential);
    check_loop(60, 80, times_exponential);
}
END_TEST

START_TEST(theory_of_the_closed_loop_holds_whatever_the_law_of_the_thoughts)
{
    check_loop(10, 9, times_lognormal);
    check_loop(10, 9.37, times_constant);
}
END_TEST

/* Without chance there is no band: N customers, service S, thought Z, cycle max(N S, S + Z). */
START_TEST(theory_of_the_constant_loop_holds_exactly)
{
    for (uint32_t customers = 1; customers <= 12; customers++) {
        sim_time think = 6 * SERVICE, cycle = SERVICE + think;
        struct closed *loop = closed_new(customers, think, times_constant, times_constant, 0);

        cycle = customers * SERVICE > cycle ? customers * SERVICE : cycle;
        closed_run(loop, 10 * cycle, 1000 * cycle);
        ck_assert_uint_eq(loop->station.left, 1000 * customers);
        ck_assert(level_area(&loop->station.busy, 1010 * cycle) ==
                  (sim_wide)1000 * customers * SERVICE);
        closed_free(loop);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        theory_of_the_closed_loop_holds,
        theory_of_the_closed_loop_holds_whatever_the_law_of_the_thoughts,
        theory_of_the_constant_loop_holds_exactly,
        NULL,
    };

    return suite_run("closed_queue", cases);
}
