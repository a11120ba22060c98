/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/level.h"

#include <math.h>

void level_restart(struct level *level, sim_time now)
{
    level->most = level->value;
    level->since = now;
    level->start = now;
    level->area = 0;
}

sim_wide level_area(const struct level *level, sim_time now)
{
    return level->area + (sim_wide)level->value * (now - level->since);
}

double level_mean(const struct level *level, sim_time now)
{
    if (now <= level->start) {
        return NAN;
    }
    return (double)level_area(level, now) / (double)(now - level->start);
}
