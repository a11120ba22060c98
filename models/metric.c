/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/metric.h"

#include <string.h>

static const struct {
    const char *name, *unit, *help;
} table[] = {
#define X(name, text, unit, help) {text, unit, help},
    METRICS(X)
#undef X
};

const char *metric_name(enum metric metric)
{
    return table[metric].name;
}

const char *metric_unit(enum metric metric)
{
    return table[metric].unit;
}

const char *metric_help(enum metric metric)
{
    return table[metric].help;
}

int metric_find(const char *name)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
