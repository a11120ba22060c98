/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker under works that only log when they run: order, what a bit means, waking.
 */
#include <string.h>

#include "models/nic.h"
#include "models/vhost_worker.h"
#include "tests/suite.h"

#define US       SIM_US
#define WAKE     (3 * US)
#define SWITCH   (1 * US)
#define RUN_TIME (10 * US)
#define RUNS     16

/* A work whose run is two steps: it begins, and 10 us later it ends. */
struct logged {
    struct vhost_work work;
    char name;
    bool begun;
    bool again; /* queues itself once */
};

/* The worker, its works, and somebody who queues them at given times. */
static struct {
    struct sim sim;
    struct nic nic;
    struct vhost_worker worker;
    struct logged works[VHOST_WORKS_MOST];
    struct actor other;
    struct order {
        sim_time at;
        int work;
        bool kick;
    } order[RUNS];
    uint32_t orders, ordered;
    char ran[RUNS + 1];
    sim_time began[RUNS];
    uint32_t runs, refused;
} bed;

static sim_time logged_step(struct vhost_work *work, struct sim *sim, sim_time now)
{
    struct logged *l = container_of(work, struct logged, work);

    (void)sim;
    if (!l->begun) {
        vhost_work_begin(work, now);
        ck_assert(!vhost_work_is_queued(work, now)); /* the bit is clear while it runs */
        bed.ran[bed.runs] = l->name;
        bed.began[bed.runs++] = now;
        l->begun = true;
        return vhost_worker_spend(&bed.worker, now, RUN_TIME);
    }
    l->begun = false;
    if (l->again) {
        l->again = false;
        vhost_work_requeue(work, now);
    }
    return vhost_worker_end_run(&bed.worker, now);
}

static sim_time other_step(struct actor *actor, struct sim *sim)
{
    const struct order *o = &bed.order[bed.ordered++];
    struct vhost_work *work = &bed.works[o->work].work;

    (void)actor;
    if (o->kick) {
        vhost_worker_kick(&bed.worker, work, sim, sim->now);
    } else if (!vhost_worker_queue(&bed.worker, work, sim, sim->now)) {
        bed.refused++;
    }
    return bed.ordered < bed.orders ? bed.order[bed.ordered].at : SIM_NEVER;
}

static void build(void)
{
    memset(&bed, 0, sizeof bed);
    vhost_worker_init(&bed.worker, WAKE, SWITCH, &(struct vhost_descheduling){0},
                      &(struct idle_config){0}, 1, 0);
    bed.worker.nic = &bed.nic;
    for (int i = 0; i < (int)VHOST_WORKS_MOST; i++) {
        bed.works[i].name = (char)('a' + i);
        vhost_worker_add(&bed.worker, &bed.works[i].work, logged_step);
    }
    bed.other = (struct actor){.step = other_step, .next = SIM_NEVER};
}

static void queue_at(int work, sim_time at)
{
    bed.order[bed.orders++] = (struct order){.at = at, .work = work};
}

/* All of it until nothing is due; the worker's time must add up. */
static void run_orders(void)
{
    bed.other.next = bed.order[0].at;
    sim_init(&bed.sim, SIM_FAST, EVENT_SET_AUTO);
    sim_add(&bed.sim, &bed.other);
    sim_add(&bed.sim, &bed.worker.actor);
    sim_run(&bed.sim, SIM_S);
    ck_assert_int_eq(sim_next(&bed.sim), SIM_NEVER);
    vhost_worker_check(&bed.worker, SIM_S);
}

START_TEST(works_run_in_the_order_in_which_they_were_queued)
{
    build();
    queue_at(1, 0);
    queue_at(0, 1 * US);
    run_orders();
    ck_assert_str_eq(bed.ran, "ba");
    build();
    queue_at(0, 0);
    queue_at(1, 1 * US);
    run_orders();
    ck_assert_str_eq(bed.ran, "ab");
}
END_TEST

START_TEST(a_sleeping_worker_takes_the_wake_up_and_the_switch)
{
    build();
    queue_at(0, 5 * US);
    queue_at(0, 100 * US);
    run_orders();
    ck_assert_int_eq(bed.began[0], 5 * US + WAKE + SWITCH);
    ck_assert_int_eq(bed.began[1], 100 * US + WAKE + SWITCH);
    ck_assert_uint_eq(bed.worker.wakeups, 2);
}
END_TEST

START_TEST(work_that_is_queued_before_its_run_begins_is_run_once)
{
    build();
    queue_at(0, 0);
    queue_at(0, 1 * US);
    queue_at(0, 2 * US);
    run_orders();
    ck_assert_str_eq(bed.ran, "a");
    ck_assert_uint_eq(bed.refused, 2);
}
END_TEST

START_TEST(work_that_is_queued_during_its_run_is_run_once_more)
{
    build();
    queue_at(0, 0);
    queue_at(0, WAKE + SWITCH + 1 * US);
    queue_at(0, WAKE + SWITCH + 2 * US);
    run_orders();
    ck_assert_str_eq(bed.ran, "aa");
    ck_assert_uint_eq(bed.refused, 1);
    ck_assert_int_eq(bed.began[1], bed.began[0] + RUN_TIME);
    ck_assert_uint_eq(bed.worker.wakeups, 1);
}
END_TEST

/* What the weight of a handler rests on. */
START_TEST(a_work_that_queues_itself_lets_the_other_go_first)
{
    build();
    queue_at(0, 0);
    queue_at(1, WAKE + SWITCH + 9 * US);
    bed.works[0].again = true;
    run_orders();
    ck_assert_str_eq(bed.ran, "aba");
}
END_TEST

START_TEST(one_that_comes_after_it_queued_itself_waits_for_a_whole_run)
{
    build();
    queue_at(0, 0);
    queue_at(1, WAKE + SWITCH + RUN_TIME + 1 * US);
    bed.works[0].again = true;
    run_orders();
    ck_assert_str_eq(bed.ran, "aab");
    ck_assert_int_eq(bed.began[2], WAKE + SWITCH + 2 * RUN_TIME);
}
END_TEST

START_TEST(a_kick_takes_its_place_when_it_arrives)
{
    build();
    queue_at(0, 0);
    queue_at(1, WAKE + SWITCH + 3 * US);
    queue_at(0, WAKE + SWITCH + 5 * US);
    bed.order[2].kick = true;
    run_orders();
    ck_assert_str_eq(bed.ran, "aba");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {works_run_in_the_order_in_which_they_were_queued,
                            a_sleeping_worker_takes_the_wake_up_and_the_switch,
                            work_that_is_queued_before_its_run_begins_is_run_once,
                            work_that_is_queued_during_its_run_is_run_once_more,
                            a_work_that_queues_itself_lets_the_other_go_first,
                            one_that_comes_after_it_queued_itself_waits_for_a_whole_run,
                            a_kick_takes_its_place_when_it_arrives,
                            NULL};

    return suite_run("vhost_worker", cases);
}
