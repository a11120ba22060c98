/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/host_qdisc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/nic.h"
#include "models/outside.h"
#include "models/vhost_tx.h"
#include "sim/engine/assert.h"

static const struct param_choice when_full[] = {
    {"drop", "silently: vhost does not learn of it", NULL},
    {"enobufs", "the send fails: the request goes back and the run ends", NULL},
    {0},
};

static const struct param rows[] = {
    {.path = "host.qdisc.limit",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct host_qdisc_config, limit),
     .most = 65536,
     .fallback = "0",
     .unit = "packets",
     .when_path = "host.backend.type",
     .when_value = "vhost",
     .help = "that wait in front of the card at most; 0: none, a full card makes the socket unwritable"},
    {.path = "host.qdisc.on_full",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct host_qdisc_config, on_full),
     .fallback = "drop",
     .choices = when_full,
     .when_path = "host.backend.type",
     .when_value = "vhost",
     .help = "what becomes of a packet that finds the card and the limit reached"},
};

static void check(const void *config, struct problems *problems)
{
    const struct host_qdisc_config *q = config;

    if (q->limit == 0 && q->on_full == HOST_QDISC_ENOBUFS) {
        problems_warning(problems, "host.qdisc.on_full", "has no effect: host.qdisc.limit is 0");
    }
}

const struct param_table host_qdisc_params =
    PARAM_TABLE("host_qdisc", struct host_qdisc_config, rows, check);

bool host_qdisc_has_room(const struct host_qdisc *q)
{
    return q->count < q->config.limit || (q->count == 0 && nic_has_room(q->nic));
}

bool host_qdisc_send(struct host_qdisc *q, struct sim *sim, sim_time now, uint32_t size,
                     uint32_t index, uint32_t echo)
{
    uint32_t at = q->head + q->count;

    if (q->count == 0 && nic_has_room(q->nic)) {
        nic_send(q->nic, sim, now, size, index, echo);
        return true;
    }
    if (q->count == q->config.limit) {
        q->dropped++;
        outside_on_dropped(q->nic->outside, echo);
        return false;
    }
    q->packet[at >= q->config.limit ? at - q->config.limit : at] =
        (struct host_qdisc_packet){.size = size, .index = index, .echo = echo};
    q->count++;
    q->bytes += size;
    q->queued++;
    return true;
}

void host_qdisc_on_room(struct host_qdisc *q, struct sim *sim, sim_time now)
{
    struct host_qdisc_packet *packet = &q->packet[q->head];

    if (q->count == 0) {
        return;
    }
    q->head = q->head + 1 == q->config.limit ? 0 : q->head + 1;
    q->count--;
    q->bytes -= packet->size;
    nic_send(q->nic, sim, now, packet->size, packet->index, packet->echo);
    if (q->count == q->config.limit / 2) {
        vhost_tx_on_writable(q->tx, sim, now);
    }
}

void host_qdisc_check(const struct host_qdisc *q, sim_time now)
{
    sim_assert(q->count <= q->config.limit, now, "%" PRIu32 " packets wait for the card", q->count);
    sim_assert(q->count == 0 || !nic_has_room(q->nic), now,
               "%" PRIu32 " packets wait for a card with room", q->count);
}

bool host_qdisc_init(struct host_qdisc *q, const struct host_qdisc_config *config,
                     struct error *error)
{
    memset(q, 0, sizeof *q);
    q->config = *config;
    q->packet = calloc(config->limit + 1u, sizeof *q->packet);
    return q->packet ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void host_qdisc_fini(struct host_qdisc *q)
{
    free(q->packet);
    memset(q, 0, sizeof *q);
}
