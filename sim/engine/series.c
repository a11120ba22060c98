/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/series.h"

#include <string.h>

void series_init(struct series *s, const char *name, sim_time start, sim_time span)
{
    memset(s, 0, sizeof *s);
    s->name = name;
    s->start = start;
    s->span = span < 1 ? 1 : span;
}

static struct series_point join(const struct series_point *a, const struct series_point *b)
{
    if (a->count == 0) {
        return *b;
    }
    if (b->count == 0) {
        return *a;
    }
    return (struct series_point){.sum = a->sum + b->sum,
                                 .count = a->count + b->count,
                                 .least = a->least < b->least ? a->least : b->least,
                                 .most = a->most > b->most ? a->most : b->most};
}

/* Points from `count` on are all zeros, so an odd last point joins an empty one. */
static void halve(struct series *s)
{
    uint32_t half = (s->count + 1) / 2;

    for (uint32_t i = 0; i < half; i++) {
        s->point[i] = join(&s->point[2 * i], &s->point[2 * i + 1]);
    }
    memset(&s->point[half], 0, (SERIES_ROOM - half) * sizeof s->point[0]);
    s->count = half;
    s->span *= 2;
}

void series_add(struct series *s, sim_time t, double value)
{
    sim_time since = t - s->start;
    struct series_point one = {.sum = value, .count = 1, .least = value, .most = value};
    uint32_t index;

    while (since / s->span >= SERIES_ROOM) {
        halve(s);
    }
    index = (uint32_t)(since / s->span);
    s->point[index] = join(&s->point[index], &one);
    s->count = index >= s->count ? index + 1 : s->count;
}
