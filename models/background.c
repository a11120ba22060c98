/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/slab.h"
#include "sim/engine/assert.h"

#define NOBODY UINT32_MAX

static uint32_t slots(const struct background_config *config)
{
    return 2 * config->lifetime;
}

uint32_t background_live_most(const struct background_config *config)
{
    /* An object taken in turn t ends before turn t + slots; those of a turn end before it takes. */
    return (uint32_t)ceil(config->pairs) * slots(config);
}

bool background_init(struct background *bg, const struct background_config *config, uint64_t seed,
                     uint32_t replication)
{
    uint32_t most = background_live_most(config);

    memset(bg, 0, sizeof(*bg));
    bg->config = *config;
    if (most == 0) {
        return true;
    }
    bg->more_below = (uint64_t)ldexp(config->pairs - floor(config->pairs), 53);
    stream_init(&bg->stream, seed, replication, "slab.background");
    bg->object = calloc(most, sizeof(*bg->object));
    bg->due = calloc(slots(config), sizeof(*bg->due));
    if (!bg->object || !bg->due) {
        background_fini(bg);
        return false;
    }
    for (uint32_t i = 0; i < most; i++) {
        bg->object[i].next = i + 1 < most ? i + 1 : NOBODY;
    }
    for (uint32_t i = 0; i < slots(config); i++) {
        bg->due[i] = NOBODY;
    }
    return true;
}

void background_fini(struct background *bg)
{
    free(bg->object);
    free(bg->due);
    memset(bg, 0, sizeof(*bg));
}

uint32_t background_live(const struct background *bg, uint32_t index)
{
    uint32_t count = 0;

    for (uint32_t i = 0; bg->object && i < slots(&bg->config); i++) {
        for (uint32_t at = bg->due[i]; at != NOBODY; at = bg->object[at].next) {
            count += bg->object[at].index == index;
        }
    }
    return count;
}

/* Those whose time is up in this turn. */
static void give_back(struct background *bg, struct slab *slab, sim_time now)
{
    struct ledger others = {.time = {0}};
    uint32_t at = bg->due[bg->turn];

    bg->due[bg->turn] = NOBODY;
    while (at != NOBODY) {
        struct background_object *object = &bg->object[at];
        uint32_t next = object->next;

        slab_free(slab, object->index, object->address, now, &others);
        object->next = bg->free;
        bg->free = at;
        bg->live--;
        at = next;
    }
}

static void take_one(struct background *bg, struct slab *slab, uint32_t index, sim_time now)
{
    struct ledger others = {.time = {0}};
    uint32_t at = bg->free;
    uint32_t end = bg->turn + 1 + (uint32_t)stream_below(&bg->stream, slots(&bg->config) - 1);
    struct background_object *object = &bg->object[at];

    sim_assert(at != NOBODY, now, "others have more than %u objects", bg->live);
    end %= slots(&bg->config);
    bg->free = object->next;
    object->index = index;
    slab_alloc(slab, index, now, &others, &object->address);
    memory_guest_write(slab->memory, now, object->address, 8, MEMORY_FREE);
    object->next = bg->due[end];
    bg->due[end] = at;
    bg->live++;
}

void background_take_turn(struct background *bg, struct slab *slab, uint32_t index, sim_time now)
{
    uint32_t count = (uint32_t)floor(bg->config.pairs);

    count += bg->more_below > 0 && stream_bits(&bg->stream) >> 11 < bg->more_below;
    bg->turn = (bg->turn + 1) % slots(&bg->config);
    give_back(bg, slab, now);
    for (uint32_t i = 0; i < count; i++) {
        take_one(bg, slab, index, now);
    }
}
