/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/rx_source.h"

#include <stdlib.h>
#include <string.h>

#include "models/rx_device.h"
#include "sim/engine/law.h"

static sim_time gap(struct rx_source *s)
{
    const struct rx_config *c = s->config;
    sim_time mean = (sim_time)((double)SIM_S / c->rate_pps);

    return c->traffic == RX_OPEN_POISSON ? law_exponential_time(&s->stream, mean) : mean;
}

static sim_time pause(struct rx_source *s)
{
    const struct rx_config *c = s->config;
    sim_time loose = (sim_time)(c->pause_ratio * (double)c->pause);

    return c->pause - loose + (loose > 0 ? law_exponential_time(&s->stream, loose) : 0);
}

/* ---- connections by when they send: a binary heap ---- */

static void push(struct rx_source *s, uint32_t connection)
{
    uint32_t i = s->heap_count++;

    while (i > 0 && s->due[s->heap[(i - 1) / 2]] > s->due[connection]) {
        s->heap[i] = s->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    s->heap[i] = connection;
}

static uint32_t pop(struct rx_source *s)
{
    uint32_t top = s->heap[0], last = s->heap[--s->heap_count], i = 0;

    for (uint32_t child; (child = 2 * i + 1) < s->heap_count; i = child) {
        if (child + 1 < s->heap_count && s->due[s->heap[child + 1]] < s->due[s->heap[child]]) {
            child++;
        }
        if (s->due[s->heap[child]] >= s->due[last]) {
            break;
        }
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return top;
}

static sim_time source_step(struct actor *actor, struct sim *sim)
{
    struct rx_source *s = container_of(actor, struct rx_source, actor);
    uint32_t from = 0;

    if (s->config->traffic == RX_CLOSED) {
        from = pop(s);
        s->due[from] = SIM_NEVER;
    }
    s->sent++;
    rx_device_on_packet(s->device, sim, sim->now, from);
    if (s->config->traffic != RX_CLOSED) {
        return sim->now + gap(s);
    }
    return s->heap_count > 0 ? s->due[s->heap[0]] : SIM_NEVER;
}

void rx_source_on_reply(struct rx_source *s, struct sim *sim, sim_time now, uint32_t connection)
{
    if (s->config->traffic != RX_CLOSED) {
        return;
    }
    s->replies++;
    s->due[connection] = now + pause(s);
    push(s, connection);
    if (s->heap[0] == connection) {
        sim_wake(sim, &s->actor, s->due[connection]);
    }
}

bool rx_source_init(struct rx_source *s, const struct rx_config *config, uint64_t seed,
                    uint32_t replication, struct error *error)
{
    memset(s, 0, sizeof *s);
    s->config = config;
    stream_init(&s->stream, seed, replication, "rx.source");
    s->actor = (struct actor){.step = source_step, .next = SIM_NEVER};
    if (config->traffic != RX_CLOSED) {
        s->actor.next = gap(s);
        return true;
    }
    s->due = calloc(config->connections, sizeof *s->due);
    s->heap = calloc(config->connections, sizeof *s->heap);
    if (!s->due || !s->heap) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    for (uint32_t i = 0; i < config->connections; i++) {
        s->due[i] = (sim_time)(stream_uniform(&s->stream) * (double)config->pause);
        push(s, i);
    }
    s->actor.next = s->due[s->heap[0]];
    return true;
}

void rx_source_fini(struct rx_source *s)
{
    free(s->due);
    free(s->heap);
    memset(s, 0, sizeof *s);
}
