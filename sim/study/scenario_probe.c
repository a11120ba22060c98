/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/scenario_probe.h"

#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

#define OTHER_STREAMS 0x9e3779b97f4a7c15 /* turned into the seed's bits */

static char *probe_name(const struct probe *probe)
{
    struct param plain = {.kind = PARAM_TIME};
    char *name = NULL, *text;

    if (probe->row < 0) {
        name = strdup(PROBE_FRESH);
    } else {
        plain.path = param_at(&config_schema, (size_t)probe->row).row->path;
        text = param_text(&plain, &probe->value);
        if (asprintf(&name, "%s=%s", plain.path, text) < 0) {
            name = NULL;
        }
        free(text);
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
        memcpy((char *)config + place.part + place.row->offset, &probe->value, sizeof probe->value);
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

/* Whether the row's condition, and the condition's own, hold in a configuration. */
static bool has_effect(const struct param_schema *schema, const struct param *row,
                       const struct config *config)
{
    for (int depth = 0; depth < 8 && row->when_path; depth++) {
        ptrdiff_t index = param_lookup(schema, row->when_path, true, NULL);
        struct param_place place = param_at(schema, (size_t)index);
        char *text = param_text(place.row, (const char *)config + place.part + place.row->offset);
        size_t length = strlen(text);
        bool holds = false;

        for (const char *v = row->when_value; v && !holds; v = strchr(v, '|')) {
            v += *v == '|';
            holds = strncmp(v, text, length) == 0 && (v[length] == '|' || v[length] == '\0');
        }
        free(text);
        if (!holds) {
            return false;
        }
        row = place.row;
    }
    return true;
}

bool scenario_plausible(const struct scenario *s, size_t point, size_t variant, size_t index,
                        sim_time *low, sim_time *high)
{
    const struct param *row = param_at(s->schema, index).row, plain = {.kind = PARAM_TIME};
    const struct setting *setting;
    struct config *config;
    struct pile pile;
    bool ok;

    if (row->kind != PARAM_COST || !row->certificate.low || !row->certificate.high) {
        return false;
    }
    config = malloc(sizeof *config);
    if (!config) {
        abort();
    }
    pile_init(&pile, s, point, variant);
    pile_build(&pile, s, config);
    ok = has_effect(s->schema, row, config);
    free(config);
    setting = pile_find(&pile, index);
    if (setting && !setting->certificate.has_range) {
        setting = layer_find(&s->base, index);
    }
    if (setting && setting->certificate.has_range) {
        *low = setting->certificate.low;
        *high = setting->certificate.high;
        return ok;
    }
    return ok && value_from_text(&plain, row->certificate.low, low) &&
           value_from_text(&plain, row->certificate.high, high);
}
