/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/sim.h"

#include <stdio.h>
#include <string.h>

#include "sim/engine/stream.h"
#include "tests/suite.h"

/*
 * A crowd: actors that wait, tie, act again at once and wake each other, by chance that each draws
 * from its own stream. Every step is logged, so that two ways to run are compared step by step.
 */
#define CROWD_LOG 20000

struct crowd;

/* One in two goes on by itself while it may; the others come back to the loop every time. */
struct member {
    struct actor actor;
    struct stream stream;
    struct crowd *crowd;
};

struct crowd {
    struct sim sim;
    uint32_t count, logged;
    struct member member[EVENT_SET_ROOM];
    struct {
        sim_time time;
        uint32_t rank;
        uint64_t luck;
    } log[CROWD_LOG];
};

static sim_time act(struct member *m, struct sim *sim)
{
    struct actor *actor = &m->actor;
    struct crowd *crowd = m->crowd;
    uint64_t luck = stream_bits(&m->stream);
    uint32_t other = (uint32_t)stream_below(&m->stream, crowd->count);

    require(sim->running == actor);
    if (crowd->logged < CROWD_LOG) {
        crowd->log[crowd->logged].time = sim->now;
        crowd->log[crowd->logged].rank = actor->rank;
        crowd->log[crowd->logged].luck = luck;
        crowd->logged++;
    }
    if (luck % 3 == 0 && &crowd->member[other] != m) {
        sim_wake(sim, &crowd->member[other].actor, sim->now + (sim_time)(luck / 3 % 5));
    }
    if (luck / 16 % 1024 == 0) {
        sim_stop(sim);
    }
    switch (luck / 16384 % 8) {
    case 0:
        return SIM_NEVER;
    case 1:
        return sim->now;
    case 2:
        return sim->now + 1;
    default:
        return sim->now + 1 + (sim_time)(luck / 131072 % (4 * crowd->count));
    }
}

static sim_time member_step(struct actor *actor, struct sim *sim)
{
    struct member *m = container_of(actor, struct member, actor);
    sim_time next;

    require(sim->now == actor->next);
    do {
        next = act(m, sim);
    } while (actor->rank % 2 == 0 && sim_goes_on(sim, next));
    return next;
}

static struct crowd *crowd_new(uint32_t count, uint32_t replication, enum sim_engine engine,
                               enum event_set_kind kind)
{
    struct crowd *crowd = calloc(1, sizeof *crowd);

    sim_init(&crowd->sim, engine, kind);
    crowd->count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct member *m = &crowd->member[i];
        char name[16];

        snprintf(name, sizeof name, "member %u", i);
        stream_init(&m->stream, 1, replication, name);
        m->crowd = crowd;
        m->actor.step = member_step;
        m->actor.next = (sim_time)stream_below(&m->stream, 4);
        sim_add(&crowd->sim, &m->actor);
    }
    return crowd;
}

/* To `until` in spite of the stops; when all wait, somebody outside wakes the first. */
static void crowd_run(struct crowd *crowd, sim_time until)
{
    while (sim_next(&crowd->sim) <= until) {
        sim_run(&crowd->sim, until);
        if (sim_next(&crowd->sim) == SIM_NEVER) {
            sim_wake(&crowd->sim, &crowd->member[0].actor, crowd->sim.now + 10);
        }
    }
}

static void check_same(const struct crowd *a, const struct crowd *b)
{
    ck_assert_uint_eq(a->logged, b->logged);
    ck_assert_uint_eq(a->sim.steps, b->sim.steps);
    ck_assert_int_eq(a->sim.now, b->sim.now);
    for (uint32_t i = 0; i < a->logged; i++) {
        ck_assert_msg(a->log[i].time == b->log[i].time && a->log[i].rank == b->log[i].rank &&
                          a->log[i].luck == b->log[i].luck,
                      "step %u: (%lld, %u) and (%lld, %u)", i, (long long)a->log[i].time,
                      a->log[i].rank, (long long)b->log[i].time, b->log[i].rank);
    }
    for (uint32_t i = 0; i < a->count; i++) {
        require(a->member[i].actor.next == b->member[i].actor.next);
    }
}

START_TEST(sim_gives_the_same_steps_fast_or_plain_linear_or_heap)
{
    for (uint32_t count = 1; count <= EVENT_SET_ROOM; count++) {
        struct crowd *first = crowd_new(count, count, SIM_PLAIN, EVENT_SET_LINEAR);

        crowd_run(first, 2000);
        ck_assert_uint_gt(first->logged, 100);
        for (int way = 1; way < 4; way++) {
            struct crowd *other = crowd_new(count, count, way & 1 ? SIM_FAST : SIM_PLAIN,
                                            way & 2 ? EVENT_SET_HEAP : EVENT_SET_LINEAR);

            crowd_run(other, 2000);
            check_same(first, other);
            free(other);
        }
        free(first);
    }
}
END_TEST

START_TEST(sim_run_in_pieces_gives_the_steps_of_one_run)
{
    for (uint32_t count = 2; count <= 32; count *= 2) {
        for (int way = 0; way < 4; way++) {
            enum sim_engine engine = way & 1 ? SIM_FAST : SIM_PLAIN;
            enum event_set_kind kind = way & 2 ? EVENT_SET_HEAP : EVENT_SET_LINEAR;
            struct crowd *whole = crowd_new(count, 7, engine, kind);
            struct crowd *pieces = crowd_new(count, 7, engine, kind);

            crowd_run(whole, 1500);
            for (sim_time t = 0; t < 1500; t += 1 + t % 7) {
                crowd_run(pieces, t);
                ck_assert_int_le(pieces->sim.now, t);
                ck_assert_int_gt(sim_next(&pieces->sim), t);
            }
            crowd_run(pieces, 1500);
            check_same(whole, pieces);
            free(whole);
            free(pieces);
        }
    }
}
END_TEST

START_TEST(sim_two_in_one_thread_give_what_they_give_apart)
{
    struct crowd *apart[2], *interleaved[2];

    for (uint32_t k = 0; k < 2; k++) {
        enum event_set_kind kind = k ? EVENT_SET_HEAP : EVENT_SET_LINEAR;

        apart[k] = crowd_new(6 + k, k, SIM_FAST, kind);
        interleaved[k] = crowd_new(6 + k, k, SIM_FAST, kind);
        crowd_run(apart[k], 3000);
    }
    for (sim_time t = 0; t <= 3000; t += 3) {
        crowd_run(interleaved[0], t);
        crowd_run(interleaved[1], t);
    }
    for (int k = 0; k < 2; k++) {
        check_same(apart[k], interleaved[k]);
        free(apart[k]);
        free(interleaved[k]);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        sim_gives_the_same_steps_fast_or_plain_linear_or_heap,
        sim_run_in_pieces_gives_the_steps_of_one_run,
        sim_two_in_one_thread_give_what_they_give_apart,
        NULL,
    };

    return suite_run("sim_engines", cases);
}
