/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues of the textbook built from the engine's parts: a source of customers, a station with one
 * server and room for some customers, and thinkers, who come back. A station keeps two accounts of
 * the same thing, the area of its level and the sum of its customers' stays within the window,
 * which Little's law says are one number: identically, in picoseconds, not only in the mean.
 */
#ifndef TESTS_THEORY_STATION_H
#define TESTS_THEORY_STATION_H

#include <gsl/gsl_randist.h>

#include "sim/engine/dist.h"
#include "sim/engine/level.h"
#include "sim/engine/sim.h"
#include "sim/engine/tally.h"
#include "tests/bands.h"
#include "tests/suite.h"

#define STATION_ROOM 8192 /* a power of two */

/* A law of times, with its stream. */
struct times {
    sim_time (*draw)(struct times *times);
    struct stream stream;
    gsl_rng *shell;
    sim_time mean;
    double sigma;               /* of the lognormal */
    struct dist_sampler points; /* of the list, in ps */
};

struct thinker {
    struct actor actor;
    struct station *station;
    struct times thought;
};

struct customer {
    sim_time arrived;
    struct thinker *thinker; /* NULL: does not come back */
};

struct station {
    struct actor actor; /* acts when a service ends */
    struct times service;
    struct station *next; /* where customers go; NULL: away or back to their thoughts */
    uint32_t capacity;    /* most customers inside; 0: no limit */

    struct customer queue[STATION_ROOM];
    uint64_t first, last; /* inside: first..last-1; the first is served */

    /* of the window */
    struct level inside, busy;
    sim_wide stays;
    struct tally wait;
    uint64_t came, lost, left, at_once; /* at_once: served without waiting */
};

struct source {
    struct actor actor;
    struct station *station;
    struct times gap;
};

static inline sim_time times_constant(struct times *t)
{
    return t->mean;
}

static inline sim_time times_exponential(struct times *t)
{
    return law_exponential_time(&t->stream, t->mean);
}

static inline sim_time times_points(struct times *t)
{
    return (sim_time)dist_draw(&t->points, &t->stream);
}

static inline sim_time times_lognormal(struct times *t)
{
    double x = gsl_ran_lognormal(t->shell, -t->sigma * t->sigma / 2, t->sigma);

    return (sim_time)llround((double)t->mean * x);
}

static inline void times_init(struct times *t, sim_time (*draw)(struct times *), sim_time mean,
                              uint32_t replication, const char *name)
{
    t->draw = draw;
    t->mean = mean;
    stream_init(&t->stream, 1, replication, name);
    t->shell = stream_gsl(&t->stream);
}

static inline void times_fini(struct times *t)
{
    gsl_rng_free(t->shell);
    dist_sampler_fini(&t->points);
}

static inline struct customer *station_customer(struct station *s, uint64_t number)
{
    return &s->queue[number % STATION_ROOM];
}

/* Begins the service of the first customer; returns when it ends. */
static inline sim_time station_serve(struct station *s, sim_time now)
{
    sim_time waited = now - station_customer(s, s->first)->arrived;

    tally_add(&s->wait, (double)waited);
    s->at_once += waited == 0;
    return now + s->service.draw(&s->service);
}

static inline void station_enter(struct station *s, struct sim *sim, struct thinker *thinker)
{
    s->came++;
    if (s->capacity > 0 && s->last - s->first == s->capacity) {
        s->lost++;
        return;
    }
    require(s->last - s->first < STATION_ROOM);
    *station_customer(s, s->last++) = (struct customer){sim->now, thinker};
    level_change(&s->inside, sim->now, 1);
    if (s->inside.value == 1) {
        level_change(&s->busy, sim->now, 1);
        sim_wake(sim, &s->actor, station_serve(s, sim->now));
    }
}

static inline sim_time station_step(struct actor *actor, struct sim *sim)
{
    struct station *s = container_of(actor, struct station, actor);
    struct customer c = *station_customer(s, s->first++);

    s->left++;
    s->stays += sim->now - (c.arrived > s->inside.start ? c.arrived : s->inside.start);
    level_change(&s->inside, sim->now, -1);
    if (s->next) {
        station_enter(s->next, sim, c.thinker);
    } else if (c.thinker) {
        sim_wake(sim, &c.thinker->actor, sim->now + c.thinker->thought.draw(&c.thinker->thought));
    }
    if (s->inside.value > 0) {
        return station_serve(s, sim->now);
    }
    level_change(&s->busy, sim->now, -1);
    return SIM_NEVER;
}

/* The service law is set by the caller, before. */
static inline void station_init(struct station *s, struct sim *sim, uint32_t capacity)
{
    s->capacity = capacity;
    s->actor.step = station_step;
    s->actor.next = SIM_NEVER;
    tally_clear(&s->wait);
    sim_add(sim, &s->actor);
}

static inline void station_restart(struct station *s, sim_time now)
{
    level_restart(&s->inside, now);
    level_restart(&s->busy, now);
    tally_clear(&s->wait);
    s->stays = 0;
    s->came = s->lost = s->left = s->at_once = 0;
}

/* Little's law: both accounts of the window are the same whole number. */
static inline void station_check(struct station *s, sim_time now)
{
    sim_wide stays = s->stays;

    for (uint64_t i = s->first; i < s->last; i++) {
        sim_time arrived = station_customer(s, i)->arrived;

        stays += now - (arrived > s->inside.start ? arrived : s->inside.start);
    }
    ck_assert(level_area(&s->inside, now) == stays);
    ck_assert(s->inside.value == (int64_t)(s->last - s->first));
    ck_assert(s->busy.value == (s->inside.value > 0));
}

static inline sim_time source_step(struct actor *actor, struct sim *sim)
{
    struct source *source = container_of(actor, struct source, actor);

    station_enter(source->station, sim, NULL);
    return sim->now + source->gap.draw(&source->gap);
}

/* The law of the gaps is set by the caller, before. */
static inline void source_init(struct source *source, struct sim *sim, struct station *station)
{
    source->station = station;
    source->actor.step = source_step;
    source->actor.next = source->gap.draw(&source->gap);
    sim_add(sim, &source->actor);
}

static inline sim_time thinker_step(struct actor *actor, struct sim *sim)
{
    struct thinker *thinker = container_of(actor, struct thinker, actor);

    station_enter(thinker->station, sim, thinker);
    return SIM_NEVER;
}

static inline void thinker_init(struct thinker *thinker, struct sim *sim, struct station *station)
{
    thinker->station = station;
    thinker->actor.step = thinker_step;
    thinker->actor.next = thinker->thought.draw(&thinker->thought);
    sim_add(sim, &thinker->actor);
}

/* The mean of n replications against theory, inside five standard errors found from these
 * replications; a band wider than a tenth of the value would prove nothing. */
static inline void check_theory(const char *what, double load, const double *x, uint32_t n,
                                double expected)
{
    struct tally t;
    double band;

    tally_clear(&t);
    for (uint32_t i = 0; i < n; i++) {
        tally_add(&t, x[i]);
    }
    band = STANDARD_ERRORS * sqrt(tally_variance(&t) / n);
    ck_assert_msg(fabs(tally_mean(&t) - expected) <= band,
                  "%s at load %g: %.6g, theory %.6g +- %.2g", what, load, tally_mean(&t), expected,
                  band);
    ck_assert_msg(band <= expected / 10, "%s at load %g: a band of %g about %g proves nothing",
                  what, load, band, expected);
}

#endif
