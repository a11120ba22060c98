/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/scenario_probe.h"

#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

#define OTHER_STREAMS 0x9e3779b97f4a7c15 /* turned into the seed's bits */

static char *probe_name(const struct probe *probe)
{
    char *name = NULL;

    if (probe->row < 0) {
        name = strdup(PROBE_FRESH);
    } else if (asprintf(&name, "%s=%s", param_at(&config_schema, (size_t)probe->row).row->path,
                        probe->value) < 0) {
        name = NULL;
    }
    if (!name) {
        abort();
    }
    return name;
}

struct scenario *scenario_probes(const struct scenario *parent, const struct probe *list,
                                 size_t count, uint32_t replications)
{
    struct scenario *s = calloc(1, sizeof *s);

    if (!s || asprintf(&s->name, "%s, probes", scenario_name(parent)) < 0) {
        abort();
    }
    s->schema = parent->schema;
    s->parent = parent;
    s->points = count;
    s->probe_replications = replications;
    s->probes = malloc((count + 1) * sizeof *s->probes);
    s->probe_names = malloc((count + 1) * sizeof *s->probe_names);
    if (!s->probes || !s->probe_names) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        s->probes[i] = list[i];
        s->probe_names[i] = probe_name(&list[i]);
    }
    return s;
}

void scenario_probe_config(const struct scenario *s, size_t point, struct config *config)
{
    const struct probe *probe = &s->probes[point];

    scenario_config(s->parent, probe->point, probe->variant, config);
    config->study.relative_precision = 0;
    if (probe->row < 0) {
        config->study.seed ^= OTHER_STREAMS;
        config->study.replications = s->probe_replications;
    } else {
        struct param_place place = param_at(s->schema, (size_t)probe->row);

        config->study.replications = 1;
        value_from_text(place.row, probe->value, (char *)config + place.part);
    }
}

size_t scenario_fresh(const struct scenario *s, size_t point, size_t variant)
{
    size_t i = 0;

    while (i < s->points && (s->probes[i].row >= 0 || s->probes[i].point != point ||
                             s->probes[i].variant != variant)) {
        i++;
    }
    return i;
}

static bool is_axis(const struct scenario *s, size_t index)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        if (s->axes[i].index == (ptrdiff_t)index) {
            return true;
        }
    }
    return false;
}

/* Whether a number lies between two texts of the same row. */
static bool is_within(const struct param *row, const char *part, const char *low, const char *high)
{
    char *copy = calloc(1, row->offset + param_bytes(row));
    double at[3] = {0};
    const char *ends[2] = {low, high};
    bool ok = true;

    if (!copy) {
        abort();
    }
    for (int i = 0; i < 3; i++) {
        const char *from = i < 2 ? copy : part;

        ok = ok && (i == 2 || value_from_text(row, ends[i], copy));
        if (row->kind == PARAM_COUNT) {
            uint32_t count;

            memcpy(&count, from + row->offset, sizeof count);
            at[i] = count;
        } else {
            sim_time time;

            memcpy(&time, from + row->offset, sizeof time);
            at[i] = (double)time;
        }
    }
    free(copy);
    return ok && at[2] >= at[0] && at[2] <= at[1];
}

/* A range of a cost table, which is in times, as text. */
static void range_text(const struct value_certificate *certificate, char low[64], char high[64])
{
    const struct param plain = {.kind = PARAM_TIME};

    param_print(&plain, &certificate->low, low, 64);
    param_print(&plain, &certificate->high, high, 64);
}

bool scenario_plausible(const struct scenario *s, size_t point, size_t variant, size_t index,
                        char low[64], char high[64])
{
    struct param_place place = param_at(s->schema, index);
    const struct param *row = place.row;
    const struct setting *setting;
    const struct preset *preset;
    struct config *config;
    struct pile pile;
    bool ok;

    if (!row->certificate.low || !row->certificate.high || is_axis(s, index)) {
        return false;
    }
    config = malloc(sizeof *config);
    if (!config) {
        abort();
    }
    pile_init(&pile, s, point, variant);
    pile_build(&pile, s, config);
    setting = pile_find(&pile, index);
    ok = conditions_hold(s->conditions, index, config);
    snprintf(low, 64, "%s", row->certificate.low);
    snprintf(high, 64, "%s", row->certificate.high);
    if (row->kind != PARAM_COST) {
        ok = ok && (setting || !pile_preset_of(&pile, s, index, &preset)) &&
             is_within(row, (const char *)config + place.part, low, high);
    } else if (setting && setting->certificate.has_range) {
        range_text(&setting->certificate, low, high);
    } else if (setting && (setting = layer_find(&s->base, index)) != NULL &&
               setting->certificate.has_range) {
        range_text(&setting->certificate, low, high);
    }
    free(config);
    return ok;
}
