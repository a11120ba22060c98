/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tsq.h"

#include <string.h>

#include "models/workload.h"
#include "sim/engine/assert.h"

static const struct param rows[] = {
    {.path = "workload.sockets",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct tsq_config, sockets),
     .least = 1,
     .most = TSQ_SOCKETS_MOST,
     .fallback = "1",
     .unit = "sockets",
     .when_path = "workload.replay",
     .when_value = "marks",
     .help = "sockets that the lists of a trace are dealt to in turn, each with its own limit"},
    {.path = "workload.tsq_limit",
     .kind = PARAM_BYTES,
     .offset = offsetof(struct tsq_config, limit_bytes),
     .least = 1,
     .most = 1073741824,
     .fallback = "1048576",
     .unit = "bytes",
     .alias = "tcp_limit_output_bytes",
     .when_path = "workload.replay",
     .when_value = "marks",
     .help = "true sizes a socket may have unfreed (TSQ); the default is also 1 ms at 8.4 Gbit/s"},
    {.path = "workload.skb_overhead",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct tsq_config, overhead_bytes),
     .most = 65536,
     .fallback = "1280",
     .unit = "bytes",
     .when_path = "workload.replay",
     .when_value = "marks",
     .help = "true size of a packet less its frame: the skb, its head, its shared info (a guess)"},
};

const struct param_table tsq_params = PARAM_TABLE("tsq", struct tsq_config, rows, NULL);

void tsq_init(struct tsq *tsq, const struct tsq_config *config)
{
    memset(tsq, 0, sizeof *tsq);
    tsq->config = *config;
    tsq->counts = true;
}

static uint64_t true_size(const struct tsq *tsq, uint32_t size)
{
    return (uint64_t)size + tsq->config.overhead_bytes;
}

/* Over the limit is what throttles, so one packet may go beyond it. */
bool tsq_admits(const struct tsq *tsq, uint32_t size)
{
    const struct tsq_socket *socket = &tsq->socket[tsq->turn];
    uint64_t two = 2 * true_size(tsq, size), limit = tsq->config.limit_bytes;

    return !tsq->counts || socket->packets <= 1 || socket->bytes <= (two > limit ? two : limit);
}

uint8_t tsq_charge(struct tsq *tsq, uint32_t size, bool more)
{
    uint8_t turn = tsq->turn;

    if (!tsq->counts) {
        return 0;
    }
    tsq->socket[turn].bytes += true_size(tsq, size);
    tsq->socket[turn].packets++;
    if (!more) {
        tsq->turn = (uint8_t)((turn + 1U) % tsq->config.sockets);
    }
    return turn;
}

void tsq_free(struct tsq *tsq, uint8_t socket, uint32_t size)
{
    struct tsq_socket *s = &tsq->socket[socket];

    sim_assert(s->packets > 0 && s->bytes >= true_size(tsq, size), 0,
               "socket %u frees more than it sent", socket);
    s->bytes -= true_size(tsq, size);
    s->packets--;
}
