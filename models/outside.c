/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/outside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/vhost_rx.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static const struct param_choice types[] = {
    {"none", "nobody: only what workload.reply sends", NULL},
    {"ping", "echo requests, which the guest's softirq answers", NULL},
    {"flood", "packets that the guest takes and nobody answers", NULL},
    {0},
};

#define WHEN(types_) .when_path = "workload.outside.type", .when_value = (types_)

static const struct param rows[] = {
    {.path = "workload.outside.type",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct outside_config, type),
     .fallback = "none",
     .choices = types,
     .when_path = "host.backend.type",
     .when_value = "vhost",
     .chooses = true,
     .help = "another machine that sends to the guest, through the vhost worker"},
    {.path = "workload.outside.ping_interval",
     .kind = PARAM_TIME,
     .offset = offsetof(struct outside_config, interval),
     .least = 1e6,
     .most = 1e15,
     .fallback = "20ms",
     WHEN("ping"),
     .help = "one echo request in each, at a random moment of it"},
    {.path = "workload.outside.flood_rate",
     .kind = PARAM_PPS,
     .offset = offsetof(struct outside_config, rate_pps),
     .least = 1,
     .most = 1e8,
     .fallback = "100kpps",
     WHEN("flood"),
     .help = "mean rate of the flood; its gaps are exponential"},
    {.path = "workload.outside.frame_bytes",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct outside_config, size),
     .least = 14,
     .most = 65550,
     .fallback = "98",
     .unit = "bytes",
     WHEN("ping|flood"),
     .help = "frame bytes of each packet, and of the answer to a request"},
    {.path = "workload.outside.one_way",
     .kind = PARAM_TIME,
     .offset = offsetof(struct outside_config, latency),
     .most = 1e12,
     .fallback = "50us",
     WHEN("ping"),
     .help = "each way: the other machine, the network and the host's softirq",
     .certificate = {"20us", "400us", PARAM_GUESS,
                     "half of a ping a second in a local network, sleeping CPUs on the way, prior"}},
};

static void check(const void *config, struct problems *problems)
{
    const struct outside_config *o = config;

    if (o->type == OUTSIDE_PING && o->latency / o->interval >= OUTSIDE_UNDERWAY_MOST) {
        problems_error(problems, "workload.outside.ping_interval",
                       "%" PRId64 " requests on their way at a time, more than %u",
                       o->latency / o->interval, OUTSIDE_UNDERWAY_MOST);
    }
}

const struct param_table outside_params =
    PARAM_TABLE("outside", struct outside_config, rows, check);

/* ---- ways ---- */

static struct outside_passage *passage(const struct outside *o, const struct outside_way *way,
                                       uint32_t i)
{
    return &way->passage[(way->head + i) % o->room];
}

/* Enters a way at `now`; nobody overtakes. */
static void enter(struct outside *o, struct outside_way *way, sim_time now, uint32_t echo)
{
    sim_time due = now + law_jitter(&o->jitter, o->config.latency, o->jitter_cv);

    sim_assert(way->count < o->room, now, "more than %" PRIu32 " packets outside", o->room);
    way->last_due = due > way->last_due ? due : way->last_due;
    *passage(o, way, way->count) =
        (struct outside_passage){.due = way->last_due, .echo = echo};
    way->count++;
}

static sim_time way_due(const struct outside *o, const struct outside_way *way)
{
    return way->count > 0 ? passage(o, way, 0)->due : SIM_NEVER;
}

static uint32_t leave(struct outside *o, struct outside_way *way)
{
    uint32_t echo = passage(o, way, 0)->echo;

    way->head = way->head + 1 == o->room ? 0 : way->head + 1;
    way->count--;
    return echo;
}

/* ---- marks ---- */

static uint32_t take_mark(struct outside *o, sim_time now)
{
    uint32_t place = o->first_free;

    sim_assert(place < o->room, now, "more than %" PRIu32 " requests unanswered", o->room);
    o->first_free = o->request[place].next_free;
    o->request[place].sent = now;
    return place + 1;
}

static void free_mark(struct outside *o, uint32_t echo)
{
    o->request[echo - 1].next_free = o->first_free;
    o->first_free = echo - 1;
}

/* ---- sending ---- */

/* A ping draws a moment of the next interval, so requests meet every phase of what the worker does alike. */
static void plan(struct outside *o)
{
    const struct outside_config *c = &o->config;

    if (c->type == OUTSIDE_PING) {
        o->interval_from += c->interval;
        o->send_due = o->interval_from + (sim_time)stream_below(&o->moments, (uint64_t)c->interval);
    } else {
        o->send_due += law_exponential_time(&o->moments, (sim_time)(1e12 / c->rate_pps + 0.5));
    }
}

static void arrive(struct outside *o, struct sim *sim, sim_time now, uint32_t echo)
{
    struct rx_packet packet = {.size = o->config.size, .echo = echo, .arrived = now};

    o->counts.arrived++;
    vhost_rx_on_packet(o->rx, sim, now, &packet);
}

/* How long a flood's packets are on their way is nobody's concern. */
static void send(struct outside *o, struct sim *sim, sim_time now)
{
    o->counts.sent++;
    if (o->config.type == OUTSIDE_PING) {
        enter(o, &o->in, now, take_mark(o, now));
    } else {
        arrive(o, sim, now, 0);
    }
    plan(o);
}

/* What is due at one moment goes in steps of its own. */
static sim_time outside_step(struct actor *actor, struct sim *sim)
{
    struct outside *o = container_of(actor, struct outside, actor);
    sim_time now = sim->now, next;

    if (way_due(o, &o->back) <= now) {
        uint32_t echo = leave(o, &o->back);

        o->counts.answered++;
        histogram_add(&o->round_trip, (uint64_t)(now - o->request[echo - 1].sent), 1);
        free_mark(o, echo);
    } else if (way_due(o, &o->in) <= now) {
        arrive(o, sim, now, leave(o, &o->in));
    } else if (o->send_due <= now) {
        send(o, sim, now);
    }
    next = o->send_due < way_due(o, &o->in) ? o->send_due : way_due(o, &o->in);
    return next < way_due(o, &o->back) ? next : way_due(o, &o->back);
}

void outside_on_answer(struct outside *o, struct sim *sim, sim_time left, uint32_t echo)
{
    enter(o, &o->back, left, echo);
    sim_wake(sim, &o->actor, way_due(o, &o->back));
}

void outside_on_dropped(struct outside *o, uint32_t echo)
{
    if (echo > 0) {
        o->counts.dropped++;
        free_mark(o, echo);
    }
}

/* ---- life ---- */

/* Requests on one way at a time, with room for those that jitter holds up. */
static uint32_t underway_most(const struct outside_config *c)
{
    return c->type == OUTSIDE_PING ? (uint32_t)(3 * (c->latency / c->interval)) + 8 : 1;
}

bool outside_init(struct outside *o, const struct outside_config *config, uint32_t inside_most,
                  double jitter_cv, uint64_t seed, uint32_t replication, struct error *error)
{
    memset(o, 0, sizeof *o);
    o->config = *config;
    o->jitter_cv = jitter_cv;
    stream_init(&o->moments, seed, replication, "outside.moments");
    stream_init(&o->jitter, seed, replication, "outside.latency");
    o->interval_from = -config->interval;
    plan(o);
    o->actor = (struct actor){.step = outside_step, .next = o->send_due};
    o->room = 2 * (underway_most(config) + inside_most);
    o->in.passage = calloc(o->room, sizeof *o->in.passage);
    o->back.passage = calloc(o->room, sizeof *o->back.passage);
    o->request = calloc(o->room, sizeof *o->request);
    if (!o->in.passage || !o->back.passage || !o->request) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    for (uint32_t i = 0; i < o->room; i++) {
        o->request[i].next_free = i + 1;
    }
    histogram_clear(&o->round_trip);
    return true;
}

void outside_fini(struct outside *o)
{
    free(o->in.passage);
    free(o->back.passage);
    free(o->request);
    memset(o, 0, sizeof *o);
}
