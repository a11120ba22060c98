/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_senders.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 3

void trace_senders_add(struct trace_senders *senders, const uint8_t address[6])
{
    uint32_t at = senders->last;

    if (at >= senders->count || memcmp(senders->list[at].address, address, 6) != 0) {
        for (at = 0; at < senders->count; at++) {
            if (memcmp(senders->list[at].address, address, 6) == 0) {
                break;
            }
        }
    }
    if (at == TRACE_SENDERS_MOST) {
        senders->others++;
        return;
    }
    if (at == senders->count) {
        memcpy(senders->list[senders->count++].address, address, 6);
    }
    senders->list[at].packets++;
    senders->last = at;
}

/* The commonest that is not shown yet; of equals the first. */
static const struct trace_sender *commonest(const struct trace_senders *senders, const bool *shown)
{
    const struct trace_sender *best = NULL;

    for (uint32_t i = 0; i < senders->count; i++) {
        if (!shown[i] && (!best || senders->list[i].packets > best->packets)) {
            best = &senders->list[i];
        }
    }
    return best;
}

void trace_senders_warn(const struct trace_senders *senders, struct trace_input *input)
{
    bool shown[TRACE_SENDERS_MOST] = {false};
    char names[160] = "", more[40] = "";
    size_t used = 0;

    if (senders->count < 2) {
        return;
    }
    for (uint32_t i = 0; i < SHOWN && i < senders->count; i++) {
        const struct trace_sender *one = commonest(senders, shown);
        const uint8_t *a = one->address;

        shown[one - senders->list] = true;
        used += (size_t)snprintf(names + used, sizeof names - used,
                                 "%s%02x:%02x:%02x:%02x:%02x:%02x %" PRIu64, i > 0 ? ", " : "",
                                 a[0], a[1], a[2], a[3], a[4], a[5], one->packets);
    }
    if (senders->count > SHOWN || senders->others > 0) {
        snprintf(more, sizeof more, ", and further ones");
    }
    trace_input_warning(input, 0, 0,
                        "all packets are taken as sent, and they come from more than one address: "
                        "%s%s; --mac, in a scenario workload.mac, says whose were sent",
                        names, more);
}
