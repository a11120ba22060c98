/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/sim.h"

#include <stdio.h>
#include <string.h>

#include "sim/engine/stream.h"
#include "tests/suite.h"

/* A player repeats a list of answers; the stage logs who acted when, as text. */
struct stage {
    struct sim sim;
    char log[512];
    struct player {
        struct actor actor;
        struct stage *stage;
        char name;
        const sim_time *answers; /* SIM_NEVER ends it */
        struct player *wakes;    /* at wake_at, in its first step */
        sim_time wake_at;
        sim_time stops_at;
    } player[4];
};

static sim_time player_step(struct actor *actor, struct sim *sim)
{
    struct player *p = container_of(actor, struct player, actor);
    struct stage *stage = p->stage;
    size_t used = strlen(stage->log);

    snprintf(stage->log + used, sizeof stage->log - used, "%c%lld ", p->name, (long long)sim->now);
    if (p->wakes) {
        sim_wake(sim, &p->wakes->actor, p->wake_at);
        p->wakes = NULL;
    }
    if (p->stops_at == sim->now && sim->now > 0) {
        sim_stop(sim);
    }
    return *p->answers == SIM_NEVER ? SIM_NEVER : *p->answers++;
}

static const sim_time never[] = {SIM_NEVER};

static void stage_init(struct stage *stage, int way, uint32_t players)
{
    memset(stage, 0, sizeof *stage);
    sim_init(&stage->sim, way & 1 ? SIM_FAST : SIM_PLAIN,
             way & 2 ? EVENT_SET_HEAP : EVENT_SET_LINEAR);
    for (uint32_t i = 0; i < players; i++) {
        struct player *p = &stage->player[i];

        p->stage = stage;
        p->name = (char)('a' + i);
        p->answers = never;
        p->actor.step = player_step;
        p->actor.next = SIM_NEVER;
        sim_add(&stage->sim, &p->actor);
    }
}

START_TEST(sim_steps_run_in_the_order_of_time_and_rank)
{
    static const sim_time a[] = {10, 20, 20, 30, SIM_NEVER}, b[] = {10, 15, 20, 40, SIM_NEVER};
    static const sim_time c[] = {5, 10, 20, 20, 20, SIM_NEVER};

    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 3);
        stage.player[0].answers = a;
        stage.player[1].answers = b;
        stage.player[2].answers = c;
        for (int i = 0; i < 3; i++) {
            stage.player[i].actor.next = 0;
        }
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "a0 b0 c0 c5 a10 b10 c10 b15 a20 a20 b20 c20 c20 c20 a30 b40 ");
        ck_assert_uint_eq(stage.sim.steps, 16);
        ck_assert_int_eq(stage.sim.now, 40);
        ck_assert_int_eq(sim_next(&stage.sim), SIM_NEVER);
    }
}
END_TEST

/* b steps at 10, 12, 14 and wakes a or c in its first step; what they would have done by themselves
 * stands in `next`. */
static void check_wake(uint32_t who, sim_time next, sim_time at, const char *log)
{
    static const sim_time b[] = {12, 14, SIM_NEVER};

    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 3);
        stage.player[1].answers = b;
        stage.player[1].actor.next = 10;
        stage.player[1].wakes = &stage.player[who];
        stage.player[1].wake_at = at;
        stage.player[who].actor.next = next;
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, log);
    }
}

START_TEST(sim_wake_earlier_wins_and_later_or_equal_changes_nothing)
{
    check_wake(0, SIM_NEVER, 13, "b10 b12 a13 b14 ");
    check_wake(2, SIM_NEVER, 13, "b10 b12 c13 b14 ");
    check_wake(0, 50, 13, "b10 b12 a13 b14 ");
    check_wake(0, 13, 13, "b10 b12 a13 b14 ");
    check_wake(0, 13, 50, "b10 b12 a13 b14 ");
    check_wake(2, 11, SIM_NEVER, "b10 c11 b12 b14 ");
}
END_TEST

START_TEST(sim_wake_at_once_acts_after_the_running_step_in_the_order_of_ranks)
{
    check_wake(0, SIM_NEVER, 10, "b10 a10 b12 b14 ");
    check_wake(2, SIM_NEVER, 10, "b10 c10 b12 b14 ");
    check_wake(0, SIM_NEVER, 12, "b10 a12 b12 b14 ");
    check_wake(2, SIM_NEVER, 12, "b10 b12 c12 b14 ");
}
END_TEST

START_TEST(sim_wake_works_before_the_first_step_and_between_runs)
{
    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 2);
        sim_wake(&stage.sim, &stage.player[1].actor, 7);
        sim_run(&stage.sim, 20);
        ck_assert_str_eq(stage.log, "b7 ");
        ck_assert_int_eq(sim_next(&stage.sim), SIM_NEVER);
        sim_wake(&stage.sim, &stage.player[0].actor, 7);
        sim_wake(&stage.sim, &stage.player[1].actor, 25);
        ck_assert_int_eq(sim_next(&stage.sim), 7);
        sim_run(&stage.sim, 30);
        ck_assert_str_eq(stage.log, "b7 a7 b25 ");
    }
}
END_TEST

START_TEST(sim_run_includes_its_last_time_and_continues_after_it)
{
    static const sim_time a[] = {10, 20, 20, 21, SIM_NEVER};

    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 1);
        stage.player[0].answers = a;
        stage.player[0].actor.next = 0;
        sim_run(&stage.sim, 20);
        ck_assert_str_eq(stage.log, "a0 a10 a20 a20 ");
        ck_assert_int_eq(stage.sim.now, 20);
        ck_assert_int_eq(sim_next(&stage.sim), 21);
        sim_run(&stage.sim, 20);
        ck_assert_uint_eq(stage.sim.steps, 4);
        sim_run(&stage.sim, SIM_NEVER);
        ck_assert_str_eq(stage.log, "a0 a10 a20 a20 a21 ");
    }
}
END_TEST

START_TEST(sim_stop_ends_the_run_after_the_step_and_the_next_run_goes_on)
{
    static const sim_time a[] = {10, 20, 30, SIM_NEVER}, b[] = {10, 20, 30, SIM_NEVER};

    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 2);
        stage.player[0].answers = a;
        stage.player[1].answers = b;
        stage.player[0].actor.next = stage.player[1].actor.next = 0;
        stage.player[0].stops_at = 20;
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "a0 b0 a10 b10 a20 ");
        ck_assert_int_lt(stage.sim.end, 0);
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "a0 b0 a10 b10 a20 b20 a30 b30 ");
        ck_assert_int_eq(stage.sim.end, 101);
        stage_init(&stage, way, 1); /* alone, with nobody to hand over to */
        stage.player[0].answers = a;
        stage.player[0].actor.next = 0;
        stage.player[0].stops_at = 20;
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "a0 a10 a20 ");
    }
}
END_TEST

/* Steps in one call what would else be a call each. */
static sim_time restless_step(struct actor *actor, struct sim *sim)
{
    sim_time next;

    do {
        next = player_step(actor, sim);
    } while (sim_goes_on(sim, next));
    return next;
}

START_TEST(sim_goes_on_only_before_all_others_and_the_end_of_the_run)
{
    static const sim_time a[] = {0, 9, 10, 11, 20, 21, 30, 40, SIM_NEVER};
    static const sim_time b[] = {20, 30, SIM_NEVER};

    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 2);
        stage.player[0].answers = a;
        stage.player[1].answers = b;
        stage.player[0].actor.step = restless_step;
        stage.player[0].actor.next = 0;
        stage.player[1].actor.next = 10;
        stage.player[0].stops_at = 21;
        sim_run(&stage.sim, 9);
        ck_assert_str_eq(stage.log, "a0 a0 a9 ");
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "a0 a0 a9 a10 b10 a11 a20 b20 a21 ");
        ck_assert_int_eq(sim_next(&stage.sim), 30);
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "a0 a0 a9 a10 b10 a11 a20 b20 a21 a30 b30 a40 ");
        ck_assert_uint_eq(stage.sim.steps, 12);
    }
}
END_TEST

/* b wakes a in its first step, and must not go on past it. */
START_TEST(sim_goes_on_no_further_than_who_it_woke)
{
    static const sim_time b[] = {12, 14, 15, SIM_NEVER};

    for (int way = 0; way < 4; way++) {
        struct stage stage;

        stage_init(&stage, way, 2);
        stage.player[1].answers = b;
        stage.player[1].actor.step = restless_step;
        stage.player[1].actor.next = 10;
        stage.player[1].wakes = &stage.player[0];
        stage.player[1].wake_at = 14;
        sim_run(&stage.sim, 100);
        ck_assert_str_eq(stage.log, "b10 b12 a14 b14 b15 ");
    }
}
END_TEST

/* Broken rules abort, in a child that Check watches. */
static void run_broken(sim_time answer, uint32_t wakes, sim_time wake_at)
{
    const sim_time answers[] = {answer, SIM_NEVER};
    struct stage stage;

    stage_init(&stage, 1, 2);
    stage.player[0].answers = answers;
    stage.player[0].actor.next = 10;
    if (wakes < 2) {
        stage.player[0].wakes = &stage.player[wakes];
        stage.player[0].wake_at = wake_at;
    }
    sim_run(&stage.sim, 100);
}

START_TEST(sim_aborts_when_an_actor_goes_back_in_time)
{
    run_broken(9, 2, 0);
}
END_TEST

START_TEST(sim_aborts_when_an_actor_goes_on_in_the_past)
{
    static const sim_time answers[] = {9, SIM_NEVER};
    struct stage stage;

    stage_init(&stage, 1, 1);
    stage.player[0].answers = answers;
    stage.player[0].actor.step = restless_step;
    stage.player[0].actor.next = 10;
    sim_run(&stage.sim, 100);
}
END_TEST

START_TEST(sim_aborts_when_an_actor_is_woken_in_the_past)
{
    run_broken(20, 1, 9);
}
END_TEST

/* Later than its present time too: the wake would be lost. */
START_TEST(sim_aborts_when_an_actor_wakes_itself)
{
    run_broken(20, 0, 15);
}
END_TEST

START_TEST(sim_aborts_without_actors)
{
    struct sim sim;

    sim_init(&sim, SIM_FAST, EVENT_SET_AUTO);
    sim_run(&sim, 100);
}
END_TEST

START_TEST(sim_aborts_when_an_actor_comes_late)
{
    struct stage stage;
    struct actor late = {.step = player_step};

    stage_init(&stage, 0, 1);
    sim_run(&stage.sim, 1);
    sim_add(&stage.sim, &late);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        sim_steps_run_in_the_order_of_time_and_rank,
        sim_wake_earlier_wins_and_later_or_equal_changes_nothing,
        sim_wake_at_once_acts_after_the_running_step_in_the_order_of_ranks,
        sim_wake_works_before_the_first_step_and_between_runs,
        sim_run_includes_its_last_time_and_continues_after_it,
        sim_stop_ends_the_run_after_the_step_and_the_next_run_goes_on,
        sim_goes_on_only_before_all_others_and_the_end_of_the_run,
        sim_goes_on_no_further_than_who_it_woke,
        NULL,
    };
    const TTest *aborts[] = {
        sim_aborts_when_an_actor_goes_back_in_time,
        sim_aborts_when_an_actor_goes_on_in_the_past,
        sim_aborts_when_an_actor_is_woken_in_the_past,
        sim_aborts_when_an_actor_wakes_itself,
        sim_aborts_without_actors,
        sim_aborts_when_an_actor_comes_late,
        NULL,
    };
    int failed = suite_run("sim", cases);

    return suite_run_aborts("sim", aborts) || failed;
}
