/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/workload.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"
#include "sim/engine/law.h"

bool workload_open_loop(const struct workload_config *config)
{
    return config->type == WORKLOAD_CONSTANT || config->type == WORKLOAD_POISSON ||
           config->type == WORKLOAD_ON_OFF || config->type == WORKLOAD_MMPP ||
           (workload_replays(config) && config->replay.mode == REPLAY_TIMING);
}

void workload_means(const struct workload_config *config, double *size_bytes, double *frags)
{
    double weight = 0;

    if (workload_replays(config)) {
        *size_bytes = config->trace ? config->trace->mean_size : 0;
        *frags = config->trace ? config->trace->mean_frags : 0;
        return;
    }
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

uint32_t workload_most_size(const struct workload_config *config)
{
    uint32_t most = config->mix_count > 0 ? 0 : (uint32_t)dist_most(&config->size);

    if (workload_replays(config)) {
        return WORKLOAD_SIZE_MOST;
    }
    for (uint32_t i = 0; i < config->mix_count; i++) {
        most = config->mix[i].size > most ? config->mix[i].size : most;
    }
    return most;
}

uint32_t workload_most_frags(const struct workload_config *config)
{
    uint32_t most = config->mix_count > 0 ? 0 : (uint32_t)dist_most(&config->frags);

    if (workload_replays(config)) {
        return config->trace ? config->trace->most_frags : 0;
    }
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

/* Mean distance between bursts at a rate. */
static sim_time mean_gap(const struct workload *w, double rate_pps)
{
    double ps = 1e12 * w->config.burst / rate_pps + 0.5;
    sim_time mean = ps < (double)SIM_TIME_LIMIT ? (sim_time)ps : SIM_TIME_LIMIT;

    return mean > 0 ? mean : 1;
}

/* Distance between bursts while sending. */
static sim_time gap(struct workload *w)
{
    sim_time mean = mean_gap(w, w->config.rate_pps);

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

/* The next burst after t of a source that changes its rate. A Poisson source has no memory, so at
 * the end of a state it begins anew at the other rate. */
static sim_time next_modulated(struct workload *w, sim_time t)
{
    for (;;) {
        double rate_pps = w->low ? w->config.low_rate_pps : w->config.rate_pps;
        sim_time next = rate_pps > 0 ? t + law_exponential_time(&w->arrivals, mean_gap(w, rate_pps))
                                     : SIM_TIME_LIMIT;

        if (next <= w->on_until || w->on_until >= SIM_TIME_LIMIT) {
            return next;
        }
        t = w->on_until;
        w->low = !w->low;
        w->on_until =
            t + law_exponential_time(&w->arrivals, w->low ? w->config.off_mean : w->config.on_mean);
    }
}

/* The first state is drawn by the share of time it has. */
static sim_time first_modulated(struct workload *w)
{
    uint64_t on = (uint64_t)w->config.on_mean, off = (uint64_t)w->config.off_mean;

    w->low = stream_below(&w->arrivals, on + off) >= on;
    w->on_until =
        law_exponential_time(&w->arrivals, w->low ? w->config.off_mean : w->config.on_mean);
    return next_modulated(w, 0);
}

static struct workload_packet replayed(const struct packet_trace_entry *entry)
{
    return (struct workload_packet){
        .size = entry->size, .frags = entry->frags, .more = entry->more != 0};
}

/* All that is due now, and what lists promise. */
static sim_time replay_step(struct workload *w, struct sim *sim)
{
    bool more = false;

    while (replay_due(&w->replay) <= sim->now || (more && !replay_ended(&w->replay))) {
        struct packet_trace_entry entry = replay_take(&w->replay);

        more = entry.more != 0;
        put(w, sim, replayed(&entry));
    }
    return replay_due(&w->replay);
}

static sim_time workload_step(struct actor *actor, struct sim *sim)
{
    struct workload *w = container_of(actor, struct workload, actor);

    if (w->replay.trace) {
        return replay_step(w, sim);
    }
    for (uint32_t i = w->config.burst; i > 0; i--) {
        struct workload_packet packet = draw(w);

        packet.more = i > 1;
        put(w, sim, packet);
    }
    return w->config.type == WORKLOAD_MMPP ? next_modulated(w, sim->now)
                                           : next_burst(w, sim->now + gap(w));
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
    if (workload_replays(config)) {
        bool marks = config->replay.mode == REPLAY_MARKS;

        sim_assert(config->trace != NULL, 0, "a capture's workload without its trace");
        replay_init(&workload->replay, &config->replay, config->trace);
        if (marks) {
            tsq_init(&workload->tsq, &config->tsq);
        }
        workload->actor.next = marks ? SIM_NEVER : replay_due(&workload->replay);
    } else if (config->type == WORKLOAD_MMPP) {
        workload->actor.next = first_modulated(workload);
    } else if (workload_open_loop(config)) {
        workload->actor.next =
            next_burst(workload, law_exponential_time(&workload->arrivals, gap(workload)));
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
    if (w->replay.trace) {
        return !replay_ended(&w->replay) &&
               (w->in_list || tsq_admits(&w->tsq, w->replay.trace->entry[w->replay.next].size));
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
    packet->more =
        w->burst_left > 0 && (w->config.window == 0 || unreclaimed + 1 < w->config.window);
}

/* A list that was begun is finished, since small queues judge the skb it was cut from. */
static void take_marked(struct workload *w, struct workload_packet *packet)
{
    struct packet_trace_entry entry = replay_take(&w->replay);

    *packet = replayed(&entry);
    packet->socket = tsq_charge(&w->tsq, packet->size, packet->more);
    w->in_list = packet->more;
    w->offered++;
}

bool workload_take_next(struct workload *workload, uint32_t unreclaimed,
                        struct workload_packet *packet)
{
    if (!workload_waiting(workload, unreclaimed)) {
        return false;
    }
    if (workload_open_loop(&workload->config)) {
        take_queued(workload, packet);
    } else if (workload->replay.trace) {
        take_marked(workload, packet);
    } else {
        take_made(workload, unreclaimed, packet);
    }
    return true;
}

void workload_on_reply(struct workload *workload)
{
    workload->credit += workload->config.type == WORKLOAD_PING_PONG ? 1 : 0;
}
