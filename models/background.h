/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Other users of a table's size class: for each packet with a table they take some objects
 *        and give back those whose time is up. So slabs are never as full or as empty, nor in the
 *        order, as one user alone would have them, and their stores lie on lines that tables share.
 * PLACE  Called by models/indirect.h once for each table that is asked for, before it is.
 * LEAVES OUT  What it costs them (their time is part of guest.stack.packet); bursts; users on other
 *        CPUs; what they write beyond the object's first 8 bytes.
 * SOURCE No measurement: a rate and a lifetime to be swept. Draws come from the stream
 *        "slab.background".
 */
#ifndef MODELS_BACKGROUND_H
#define MODELS_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/stream.h"
#include "sim/engine/time.h"

#define BACKGROUND_PAIRS_MOST    8u
#define BACKGROUND_LIFETIME_MOST 1024u

struct background_config {
    double pairs;      /* objects taken for each packet, and given back; 0: nobody */
    uint32_t lifetime; /* mean, in packets */
};

/* An object somebody has. */
struct background_object {
    uint64_t address;
    uint32_t index; /* of its cache */
    uint32_t next;  /* with the same end */
};

struct background {
    struct background_config config;
    uint64_t more_below; /* 53 random bits below: one object more than the whole part of pairs */
    struct stream stream;
    struct background_object *object;
    uint32_t *due; /* [2 * lifetime], by packet: the first of the list that ends there */
    uint32_t free, live, turn;
};

struct slab;

/* Closed form: objects that others have at once, at most. */
uint32_t background_live_most(const struct background_config *config);

/* False: out of memory. */
bool background_init(struct background *bg, const struct background_config *config, uint64_t seed,
                     uint32_t replication);
void background_fini(struct background *bg);

/* Objects of cache `index` that others have now. */
uint32_t background_live(const struct background *bg, uint32_t index);

/* One packet's worth on cache `index`; the half that works is called where there are others. */
void background_take_turn(struct background *bg, struct slab *slab, uint32_t index, sim_time now);

static inline void background_turn(struct background *bg, struct slab *slab, uint32_t index,
                                   sim_time now)
{
    if (bg->object) {
        background_take_turn(bg, slab, index, now);
    }
}

#endif
