/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A configuration from its layers. Presets come below everything that was set explicitly, whatever
 * layer chose them; so the choices are found first.
 */
#include <string.h>

#include "sim/study/scenario_parts.h"

void pile_init(struct pile *pile, const struct scenario *s, size_t point, size_t variant)
{
    memset(pile, 0, sizeof *pile);
    pile->layers[0] = &s->base;
    for (size_t i = 0; i < s->axis_count; i++) {
        const struct axis *axis = &s->axes[i];
        size_t index = scenario_point_index(s, point, i);

        if (axis->index < 0) {
            pile->layers[1] = &s->cases.list[index].layer;
        } else {
            pile->axis[pile->axis_count++] = &axis->values[index];
        }
    }
    if (s->variants.count > 0) {
        pile->layers[2] = &s->variants.list[variant].layer;
    }
}

const struct setting *pile_find(const struct pile *pile, size_t index)
{
    const struct setting *setting = NULL;

    if (pile->layers[2]) {
        setting = layer_find(pile->layers[2], index);
    }
    for (size_t i = pile->axis_count; i-- > 0 && !setting;) {
        setting = pile->axis[i]->index == index ? pile->axis[i] : NULL;
    }
    for (int i = 1; i >= 0 && !setting; i--) {
        setting = pile->layers[i] ? layer_find(pile->layers[i], index) : NULL;
    }
    return setting;
}

const struct preset *pile_preset(const struct pile *pile, const struct scenario *s,
                                 size_t choice_index)
{
    const struct setting *setting = pile_find(pile, choice_index);
    struct param_place place = param_at(s->schema, choice_index);
    int choice;

    if (setting) {
        memcpy(&choice, setting->packed, sizeof choice);
    } else {
        memcpy(&choice, (const char *)&s->defaults + place.part + place.row->offset, sizeof choice);
    }
    for (size_t i = 0; i < s->preset_count; i++) {
        if (s->presets[i].index == choice_index && s->presets[i].choice == choice) {
            return &s->presets[i];
        }
    }
    return NULL;
}

/* Whether this is the first preset of its choice: each choice is looked at once. */
static bool first_of_choice(const struct scenario *s, size_t i)
{
    return i == 0 || s->presets[i - 1].index != s->presets[i].index;
}

const struct setting *pile_preset_of(const struct pile *pile, const struct scenario *s,
                                     size_t index, const struct preset **preset)
{
    const struct setting *found = NULL;

    *preset = NULL;
    for (size_t i = 0; i < s->preset_count; i++) {
        const struct preset *p =
            first_of_choice(s, i) ? pile_preset(pile, s, s->presets[i].index) : NULL;
        const struct setting *setting = p ? layer_find(&p->layer, index) : NULL;

        if (setting) {
            found = setting;
            *preset = p;
        }
    }
    return found;
}

/* A capture is found from the file that names it, and its packets come with it. */
static void add_trace(const struct pile *pile, const struct scenario *s, struct config *config)
{
    ptrdiff_t index = param_lookup(s->schema, "workload.file", true, NULL);
    const struct setting *setting = pile_find(pile, (size_t)index);

    trace_set_locate(s->traces, config, setting ? setting->node.doc->file : NULL);
    if (s->traces) {
        trace_set_apply(s->traces, config);
    }
}

void pile_build(const struct pile *pile, const struct scenario *s, struct config *config)
{
    *config = s->defaults;
    for (size_t i = 0; i < s->preset_count; i++) {
        const struct preset *preset =
            first_of_choice(s, i) ? pile_preset(pile, s, s->presets[i].index) : NULL;

        if (preset) {
            layer_apply(&preset->layer, config);
        }
    }
    for (int i = 0; i < 2; i++) {
        if (pile->layers[i]) {
            layer_apply(pile->layers[i], config);
        }
    }
    for (size_t i = 0; i < pile->axis_count; i++) {
        setting_apply(pile->axis[i], config);
    }
    if (pile->layers[2]) {
        layer_apply(pile->layers[2], config);
    }
    memcpy(config->study.name, s->study_name, sizeof config->study.name);
    if (workload_replays(&config->datapath.workload)) {
        add_trace(pile, s, config);
    }
}
