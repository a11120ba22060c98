/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/packet_mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/histogram.h"

#define APART HUGE_VAL

/* Some cells together. */
struct group {
    uint32_t frags;
    double packets, bytes, squared;
    double frag_sum;     /* fragments of all its packets */
    double most_packets; /* of the cells whose `frags` it bears */
};

void packet_mix_init(struct packet_mix *mix)
{
    memset(mix, 0, sizeof *mix);
}

void packet_mix_add(struct packet_mix *mix, uint32_t frags, uint32_t size)
{
    const uint32_t bin = histogram_index(size);
    struct packet_mix_cell *cell;

    mix->clipped += frags >= PACKET_MIX_FRAGS;
    mix->frags += frags;
    frags = frags < PACKET_MIX_FRAGS ? frags : PACKET_MIX_FRAGS - 1;
    cell = &mix->cell[frags][bin < PACKET_MIX_SIZES ? bin : PACKET_MIX_SIZES - 1];
    cell->packets++;
    cell->bytes += size;
    cell->squared += (double)size * size;
    mix->packets++;
    mix->bytes += size;
}

static uint32_t collect(const struct packet_mix *mix, struct group *groups)
{
    uint32_t count = 0;

    for (uint32_t frags = 0; frags < PACKET_MIX_FRAGS; frags++) {
        for (uint32_t i = 0; i < PACKET_MIX_SIZES; i++) {
            const struct packet_mix_cell *cell = &mix->cell[frags][i];
            const double packets = (double)cell->packets;

            if (cell->packets > 0) {
                groups[count++] = (struct group){
                    .frags = frags,
                    .packets = packets,
                    .bytes = (double)cell->bytes,
                    .squared = cell->squared,
                    .frag_sum = packets * frags,
                    .most_packets = packets,
                };
            }
        }
    }
    return count;
}

/* 1..4, 17 and 18 entries keep their share. */
static bool is_kept(uint32_t frags)
{
    return frags <= 3 || frags == 16 || frags == 17;
}

/* Squared bytes that merging adds; APART where it must not be. Different fragments go by how many
 * packets get a wrong number, and only after everything else. */
static double cost(const struct group *a, const struct group *b)
{
    const double apart = a->bytes / a->packets - b->bytes / b->packets;

    if (a->frags == b->frags) {
        return a->packets * b->packets / (a->packets + b->packets) * apart * apart;
    }
    if (is_kept(a->frags) || is_kept(b->frags)) {
        return APART;
    }
    return 1e30 * fmin(a->packets, b->packets) * (b->frags - a->frags);
}

static void merge(struct group *into, const struct group *from)
{
    if (into->frags == from->frags) {
        into->most_packets += from->most_packets;
    } else if (from->most_packets > into->most_packets) {
        into->frags = from->frags;
        into->most_packets = from->most_packets;
    }
    into->packets += from->packets;
    into->bytes += from->bytes;
    into->squared += from->squared;
    into->frag_sum += from->frag_sum;
}

/* 46 numbers of fragments less the 6 that are kept leave 40 that may merge, so that the wanted
 * number is always reached. */
static uint32_t reduce(struct group *groups, uint32_t count, uint32_t most)
{
    while (count > most) {
        uint32_t best = 0;
        double least = APART;

        for (uint32_t i = 0; i + 1 < count; i++) {
            const double c = cost(&groups[i], &groups[i + 1]);

            if (c < least) {
                least = c;
                best = i;
            }
        }
        merge(&groups[best], &groups[best + 1]);
        memmove(&groups[best + 1], &groups[best + 2], (count - best - 2) * sizeof *groups);
        count--;
    }
    return count;
}

/* Share of packets of each number of fragments, cells against kinds. */
static double share_error(const struct packet_mix *mix, const struct workload_kind *kinds,
                          uint32_t count)
{
    double off[PACKET_MIX_FRAGS] = {0}, most = 0;

    for (uint32_t frags = 0; frags < PACKET_MIX_FRAGS; frags++) {
        for (uint32_t i = 0; i < PACKET_MIX_SIZES; i++) {
            off[frags] -= (double)mix->cell[frags][i].packets;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        off[kinds[i].frags] += kinds[i].weight;
    }
    for (uint32_t frags = 0; frags < PACKET_MIX_FRAGS; frags++) {
        most = fmax(most, fabs(off[frags]));
    }
    return most / (double)mix->packets;
}

uint32_t packet_mix_kinds(const struct packet_mix *mix,
                          struct workload_kind kinds[WORKLOAD_MIX_MOST],
                          struct packet_mix_error *error)
{
    struct group *groups = calloc((size_t)PACKET_MIX_FRAGS * PACKET_MIX_SIZES, sizeof *groups);
    const double packets = (double)mix->packets;
    double bytes = 0, frags = 0, squared = 0;
    uint32_t count;

    if (!groups) {
        abort();
    }
    count = reduce(groups, collect(mix, groups), WORKLOAD_MIX_MOST);
    for (uint32_t i = 0; i < count; i++) {
        const struct group *group = &groups[i];
        const double size = round(group->bytes / group->packets);

        kinds[i] = (struct workload_kind){group->packets, (uint32_t)size, group->frags};
        bytes += group->packets * size;
        frags += group->packets * group->frags;
        squared += group->squared + group->packets * size * size - 2 * size * group->bytes;
    }
    *error = (struct packet_mix_error){
        .size_bytes = (bytes - (double)mix->bytes) / packets,
        .frags = (frags - (double)mix->frags) / packets,
        .share = share_error(mix, kinds, count),
        .size_rms_bytes = sqrt(fmax(squared, 0) / packets),
    };
    free(groups);
    return count;
}
