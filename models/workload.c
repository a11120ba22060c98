/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/workload.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"
#include "sim/engine/law.h"

#define OPEN_LOOP "constant|poisson|on_off"

static const struct param_choice types[] = {
    {"saturating", "always has a packet to send", NULL},
    {"constant", "bursts at equal distances", NULL},
    {"poisson", "bursts at exponential distances", NULL},
    {"on_off", "constant rate while on; exponential on and off periods", NULL},
    {"ping_pong", "one packet, then waits for its reply", NULL},
    {0},
};

static const struct param kind_rows[] = {
    {.path = "weight",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct workload_kind, weight),
     .most = 1e9,
     .above_zero = true,
     .fallback = "1",
     .help = "relative frequency"},
    {.path = "size",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_kind, size),
     .least = 14,
     .most = WORKLOAD_SIZE_MOST,
     .required = true,
     .unit = "bytes",
     .help = "frame bytes"},
    {.path = "frags",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_kind, frags),
     .most = 45,
     .fallback = "0",
     .help = "page fragments"},
};

static const struct param rows[] = {
    {.path = "workload.type",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct workload_config, type),
     .required = true,
     .choices = types,
     .help = "how packets come"},
    {.path = "workload.rate",
     .kind = PARAM_PPS,
     .offset = offsetof(struct workload_config, rate_pps),
     .most = 1e9,
     .above_zero = true,
     .fallback = "100kpps",
     .when_path = "workload.type",
     .when_value = OPEN_LOOP,
     .help = "mean rate; on_off: rate while on"},
    {.path = "workload.on",
     .kind = PARAM_TIME,
     .offset = offsetof(struct workload_config, on_mean),
     .most = 1e12,
     .above_zero = true,
     .fallback = "100us",
     .when_path = "workload.type",
     .when_value = "on_off",
     .help = "mean length of an on period"},
    {.path = "workload.off",
     .kind = PARAM_TIME,
     .offset = offsetof(struct workload_config, off_mean),
     .most = 1e12,
     .fallback = "100us",
     .when_path = "workload.type",
     .when_value = "on_off",
     .help = "mean length of an off period"},
    {.path = "workload.size",
     .kind = PARAM_DIST,
     .offset = offsetof(struct workload_config, size),
     .least = 14,
     .most = WORKLOAD_SIZE_MOST,
     .fallback = "1514",
     .unit = "bytes",
     .help = "frame bytes, virtio-net header not counted"},
    {.path = "workload.frags",
     .kind = PARAM_DIST,
     .offset = offsetof(struct workload_config, frags),
     .most = 45,
     .fallback = "0",
     .when_path = "guest.path",
     .when_value = "skb",
     .unit = "fragments",
     .help = "page fragments of an skb; sg entries = 1 + fragments with the header inline"},
    {.path = "workload.mix",
     .kind = PARAM_ARRAY,
     .offset = offsetof(struct workload_config, mix_count),
     .items_offset = offsetof(struct workload_config, mix),
     .item_bytes = sizeof(struct workload_kind),
     .items_most = WORKLOAD_MIX_MOST,
     .item = kind_rows,
     .item_count = sizeof kind_rows / sizeof kind_rows[0],
     .help = "kinds of packets with their sizes and fragments together; replaces size and frags"},
    {.path = "workload.burst",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_config, burst),
     .least = 1,
     .most = 4096,
     .fallback = "1",
     .unit = "packets",
     .help = "packets handed over in one list: all but the last announce another"},
    {.path = "workload.window",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_config, window),
     .most = 65535,
     .fallback = "0",
     .unit = "packets",
     .when_path = "workload.type",
     .when_value = "saturating",
     .help = "packets a saturating sender keeps unreclaimed at most (TSQ); 0: no limit"},
    {.path = "workload.queue",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_config, queue),
     .least = 1,
     .most = 65536,
     .fallback = "1000",
     .unit = "packets",
     .when_path = "workload.type",
     .when_value = OPEN_LOOP,
     .help = "packets the queue above the driver holds; more are dropped"},
};

static void check(const void *config, struct problems *problems)
{
    const struct workload_config *w = config;

    if (w->type == WORKLOAD_ON_OFF &&
        sim_time_s(w->on_mean + w->off_mean) * w->rate_pps / w->burst < 1e-4) {
        problems_error(problems, "workload.on",
                       "less than one burst in 10,000 on and off periods at this rate");
    }
    if (w->mix_count > 0 && (w->frags.kind != DIST_CONSTANT || w->frags.bin[0].low != 0)) {
        problems_warning(problems, "workload.frags", "has no effect: workload.mix is set");
    }
}

const struct param_table workload_params =
    PARAM_TABLE("workload", struct workload_config, rows, check);

bool workload_open_loop(const struct workload_config *config)
{
    return config->type == WORKLOAD_CONSTANT || config->type == WORKLOAD_POISSON ||
           config->type == WORKLOAD_ON_OFF;
}

void workload_means(const struct workload_config *config, double *size_bytes, double *frags)
{
    double weight = 0;

    *size_bytes = config->mix_count > 0 ? 0 : dist_mean(&config->size);
    *frags = config->mix_count > 0 ? 0 : dist_mean(&config->frags);
    for (uint32_t i = 0; i < config->mix_count; i++) {
        weight += config->mix[i].weight;
        *size_bytes += config->mix[i].weight * config->mix[i].size;
        *frags += config->mix[i].weight * config->mix[i].frags;
    }
    if (config->mix_count > 0) {
        *size_bytes /= weight;
        *frags /= weight;
    }
}

uint32_t workload_most_frags(const struct workload_config *config)
{
    uint32_t most = config->mix_count > 0 ? 0 : (uint32_t)dist_most(&config->frags);

    for (uint32_t i = 0; i < config->mix_count; i++) {
        most = config->mix[i].frags > most ? config->mix[i].frags : most;
    }
    return most;
}

static struct workload_packet draw(struct workload *w)
{
    struct workload_packet packet = w->model;

    if (w->alike) {
        return packet;
    }
    if (w->config.mix_count > 0) {
        const struct workload_kind *kind = &w->config.mix[law_alias_draw(&w->mix, &w->sizes)];

        packet.size = kind->size;
        packet.frags = (uint16_t)kind->frags;
    } else {
        packet.size = (uint32_t)dist_draw(&w->size, &w->sizes);
        packet.frags = (uint16_t)dist_draw(&w->frags, &w->fragments);
    }
    return packet;
}

static void put(struct workload *w, struct sim *sim, struct workload_packet packet)
{
    w->offered++;
    if (w->queue_count == w->config.queue) {
        w->dropped++;
        return;
    }
    w->queue[(w->queue_head + w->queue_count) % w->config.queue] = packet;
    if (w->queue_count++ == 0 && w->consumer) {
        sim_wake(sim, w->consumer, sim->now);
    }
}

/* Distance between bursts while sending. */
static sim_time gap(struct workload *w)
{
    double ps = 1e12 * w->config.burst / w->config.rate_pps + 0.5;
    sim_time mean = ps < (double)SIM_TIME_LIMIT ? (sim_time)ps : SIM_TIME_LIMIT;

    mean = mean > 0 ? mean : 1;
    return w->config.type == WORKLOAD_POISSON ? law_exponential_time(&w->arrivals, mean) : mean;
}

/* The next burst at or after t; an on/off source steps over its silent periods. */
static sim_time next_burst(struct workload *w, sim_time t)
{
    if (w->config.type != WORKLOAD_ON_OFF) {
        return t;
    }
    while (t > w->on_until) {
        sim_time start = w->on_until + law_exponential_time(&w->arrivals, w->config.off_mean);

        t = t > start ? t : start;
        w->on_until = start + law_exponential_time(&w->arrivals, w->config.on_mean);
    }
    return t;
}

static sim_time workload_step(struct actor *actor, struct sim *sim)
{
    struct workload *w = container_of(actor, struct workload, actor);

    for (uint32_t i = w->config.burst; i > 0; i--) {
        struct workload_packet packet = draw(w);

        packet.more = i > 1;
        put(w, sim, packet);
    }
    return next_burst(w, sim->now + gap(w));
}

static bool draws_nothing(const struct dist *dist)
{
    return dist->count == 1 && dist->bin[0].low == dist->bin[0].high;
}

static bool init_contents(struct workload *w, struct error *error)
{
    double weights[WORKLOAD_MIX_MOST];

    if (w->config.mix_count > 1) {
        for (uint32_t i = 0; i < w->config.mix_count; i++) {
            weights[i] = w->config.mix[i].weight;
        }
        return law_alias_init(&w->mix, weights, w->config.mix_count, error);
    }
    if (w->config.mix_count == 1) {
        w->alike = true;
        w->model.size = w->config.mix[0].size;
        w->model.frags = (uint16_t)w->config.mix[0].frags;
        return true;
    }
    w->alike = draws_nothing(&w->config.size) && draws_nothing(&w->config.frags);
    w->model.size = (uint32_t)w->config.size.bin[0].low;
    w->model.frags = (uint16_t)w->config.frags.bin[0].low;
    return dist_sampler_init(&w->size, &w->config.size, error) &&
           dist_sampler_init(&w->frags, &w->config.frags, error);
}

bool workload_init(struct workload *workload, const struct workload_config *config, uint64_t seed,
                   uint32_t replication, struct error *error)
{
    memset(workload, 0, sizeof *workload);
    workload->config = *config;
    workload->credit = 1;
    stream_init(&workload->arrivals, seed, replication, "workload.arrivals");
    stream_init(&workload->sizes, seed, replication, "workload.size");
    stream_init(&workload->fragments, seed, replication, "workload.frags");
    workload->actor = (struct actor){.step = workload_step, .next = SIM_NEVER};
    if (workload_open_loop(config)) {
        workload->actor.next = next_burst(workload, law_exponential_time(&workload->arrivals, gap(workload)));
    }
    workload->queue = calloc(config->queue, sizeof *workload->queue);
    if (!workload->queue) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    if (!init_contents(workload, error)) {
        return false;
    }
    workload->endless = workload->alike && config->type == WORKLOAD_SATURATING &&
                        config->window == 0 && config->burst == 1;
    return true;
}

void workload_fini(struct workload *workload)
{
    dist_sampler_fini(&workload->size);
    dist_sampler_fini(&workload->frags);
    law_alias_fini(&workload->mix);
    free(workload->queue);
    memset(workload, 0, sizeof *workload);
}

static void take_queued(struct workload *w, struct workload_packet *packet)
{
    *packet = w->queue[w->queue_head];
    w->queue_head = (w->queue_head + 1) % w->config.queue;
    w->queue_count--;
    packet->more = packet->more && w->queue_count > 0;
}

bool workload_waiting(const struct workload *w, uint32_t unreclaimed)
{
    if (workload_open_loop(&w->config)) {
        return w->queue_count > 0;
    }
    if (w->config.type == WORKLOAD_PING_PONG) {
        return w->credit > 0;
    }
    return w->config.window == 0 || unreclaimed < w->config.window;
}

/* A list ends early where the window closes, since the promise of another packet must be kept. */
static void take_made(struct workload *w, uint32_t unreclaimed, struct workload_packet *packet)
{
    *packet = draw(w);
    w->offered++;
    if (w->config.type == WORKLOAD_PING_PONG) {
        w->credit--;
        return;
    }
    w->burst_left = w->burst_left == 0 ? w->config.burst - 1 : w->burst_left - 1;
    packet->more = w->burst_left > 0 &&
                   (w->config.window == 0 || unreclaimed + 1 < w->config.window);
}

bool workload_take_next(struct workload *workload, uint32_t unreclaimed,
                        struct workload_packet *packet)
{
    if (!workload_waiting(workload, unreclaimed)) {
        return false;
    }
    if (workload_open_loop(&workload->config)) {
        take_queued(workload, packet);
    } else {
        take_made(workload, unreclaimed, packet);
    }
    return true;
}

void workload_on_reply(struct workload *workload)
{
    workload->credit += workload->config.type == WORKLOAD_PING_PONG ? 1 : 0;
}
