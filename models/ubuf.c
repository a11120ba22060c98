/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/ubuf.h"

#include <inttypes.h>
#include <string.h>

#include "sim/engine/assert.h"

void ubuf_init(struct ubuf *u)
{
    memset(u, 0, sizeof *u);
}

bool ubuf_over_limit(const struct ubuf *u, enum ubuf_limit limit, uint32_t size)
{
    uint32_t most = size / 4 < UBUF_PEND_MOST ? size / 4 : UBUF_PEND_MOST;

    if (limit == UBUF_LIMIT_EQUAL) {
        /* Met at (128 - size) mod 1024 pending: 128 for a ring of 1024, 896 for one of 256, which can never have
         * so many. */
        return (u->upend + size - UBUF_PEND_MOST) % UBUF_RING == u->done;
    }
    return ubuf_pending(u) > most;
}

void ubuf_count_packet(struct ubuf *u)
{
    if (++u->packets >= UBUF_WINDOW) {
        u->packets = 0;
        u->errors = 0;
    }
}

uint32_t ubuf_begin(struct ubuf *u, uint16_t id)
{
    uint32_t index = u->upend;

    u->entry[index] = (struct ubuf_entry){.id = id, .state = UBUF_IN_PROGRESS};
    u->upend = (index + 1) % UBUF_RING;
    u->outstanding++;
    u->begun++;
    return index;
}

void ubuf_cancel(struct ubuf *u)
{
    u->upend = (u->upend + UBUF_RING - 1) % UBUF_RING;
    u->entry[u->upend].state = UBUF_CLEAR;
    u->outstanding--;
    u->begun--;
}

void ubuf_complete(struct ubuf *u, sim_time now, uint32_t index, bool copied)
{
    sim_assert(u->entry[index].state == UBUF_IN_PROGRESS, now, "entry %" PRIu32 " completed twice",
               index);
    u->entry[index].state = copied ? UBUF_FAILED : UBUF_DONE;
    u->entry[index].completed = now;
    u->completed++;
    u->failed += copied ? 1 : 0;
}

uint32_t ubuf_put(struct ubuf *u)
{
    sim_assert(u->outstanding > 0, 0, "a reference given back twice");
    return u->outstanding--;
}

bool ubuf_fires(enum ubuf_rule rule, uint32_t outstanding, uint32_t batch)
{
    switch (rule) {
    case UBUF_BEFORE_PUT: /* the base reference is 1 */
        return outstanding + 1 <= 2 || (outstanding + 1) % batch == 0;
    case UBUF_AFTER_PUT:
        return outstanding <= 1 || outstanding % batch == 0;
    case UBUF_ALWAYS:
        return true;
    case UBUF_NEVER:
        return false;
    }
    return false;
}

uint32_t ubuf_returnable(const struct ubuf *u)
{
    uint32_t end = u->upend >= u->done ? u->upend : UBUF_RING, at = u->done;

    while (at < end && u->entry[at].state >= UBUF_DONE) {
        at++;
    }
    return at - u->done;
}

struct ubuf_entry ubuf_return(struct ubuf *u)
{
    struct ubuf_entry *entry = &u->entry[u->done], what = *entry;

    sim_assert(entry->state >= UBUF_DONE, 0, "entry %" PRIu32 " returned before it completed",
               u->done);
    u->errors += entry->state == UBUF_FAILED ? 1 : 0;
    entry->state = UBUF_CLEAR;
    u->done = (u->done + 1) % UBUF_RING;
    u->returned++;
    return what;
}

void ubuf_check(const struct ubuf *u, sim_time now)
{
    uint32_t pending = ubuf_pending(u), running = 0;

    for (uint32_t i = 0; i < UBUF_RING; i++) {
        bool inside = (i - u->done) % UBUF_RING < pending;

        sim_assert(inside == (u->entry[i].state != UBUF_CLEAR), now,
                   "entry %" PRIu32 " has state %d", i, u->entry[i].state);
        running += u->entry[i].state == UBUF_IN_PROGRESS ? 1 : 0;
    }
    sim_assert(u->begun == u->returned + pending, now, "%" PRIu32 " entries pending", pending);
    sim_assert(u->begun == u->completed + running, now, "%" PRIu32 " entries running", running);
    sim_assert(u->outstanding >= running, now, "%" PRIu32 " references for %" PRIu32 " entries",
               u->outstanding, running);
}
