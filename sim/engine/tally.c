/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/tally.h"

#include <math.h>

void tally_clear(struct tally *t)
{
    *t = (struct tally){.least = NAN, .most = NAN};
}

void tally_add(struct tally *t, double x)
{
    double delta = x - t->mean;

    t->least = t->count == 0 || x < t->least ? x : t->least;
    t->most = t->count == 0 || x > t->most ? x : t->most;
    t->count++;
    t->mean += delta / (double)t->count;
    t->m2 += delta * (x - t->mean);
}

void tally_merge(struct tally *into, const struct tally *from)
{
    double n_into = (double)into->count, n_from = (double)from->count;
    double delta = from->mean - into->mean;

    if (from->count == 0) {
        return;
    }
    if (into->count == 0) {
        *into = *from;
        return;
    }
    into->least = from->least < into->least ? from->least : into->least;
    into->most = from->most > into->most ? from->most : into->most;
    into->count += from->count;
    into->mean += delta * (n_from / (n_into + n_from));
    into->m2 += from->m2 + delta * delta * (n_into * n_from / (n_into + n_from));
}

double tally_mean(const struct tally *t)
{
    return t->count == 0 ? NAN : t->mean;
}

double tally_variance(const struct tally *t)
{
    return t->count < 2 ? NAN : t->m2 / (double)(t->count - 1);
}
