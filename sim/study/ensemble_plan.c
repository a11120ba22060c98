/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/ensemble_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/unit.h"

#define PS_PER_US 1e6
#define PS_PER_NS 1e3

struct param_place ensemble_unknown(const struct ensemble_plan *plan, size_t index)
{
    return index < plan->free_count ? plan->free[index].place
                                    : plan->regime[index - plan->free_count].place;
}

static bool is_time(const struct param *row)
{
    return row->kind == PARAM_TIME || row->kind == PARAM_COST;
}

void ensemble_print(const struct param *row, double value, char text[ENSEMBLE_TEXT])
{
    if (!is_time(row)) {
        snprintf(text, ENSEMBLE_TEXT, "%.4g", value);
    } else if (value >= PS_PER_US) {
        snprintf(text, ENSEMBLE_TEXT, "%.4gus", value / PS_PER_US);
    } else {
        snprintf(text, ENSEMBLE_TEXT, "%.4gns", value / PS_PER_NS);
    }
}

void ensemble_free_text(const struct ensemble_free *one, double share, char text[ENSEMBLE_TEXT])
{
    double value = one->logarithmic ? one->low * pow(one->high / one->low, share)
                                    : one->low + share * (one->high - one->low);

    ensemble_print(one->place.row, value, text);
}

/* Not by the reader of JSON values: its library keeps a state that threads would share. */
double ensemble_free_value(struct param_place place, const char *text)
{
    struct error error = {0};
    double value;
    int64_t whole;
    char *end;

    if (is_time(place.row)) {
        return unit_read(UNIT_TIME, text, false, &value, &whole, &error) ? (double)whole : NAN;
    }
    value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(value) ? value : NAN;
}

bool ensemble_put(struct param_place place, const char *text, void *config)
{
    double value = ensemble_free_value(place, text);
    sim_time time = (sim_time)(isfinite(value) ? value : 0);
    char *field = (char *)config + place.part + place.row->offset;

    if (is_time(place.row)) {
        memcpy(field, &time, sizeof time);
    } else {
        memcpy(field, &value, sizeof value);
    }
    return isfinite(value);
}

size_t ensemble_regime_index(const struct ensemble_regime *regime, const char *text)
{
    size_t i = 0;

    while (i < regime->count && strcmp(regime->value[i], text) != 0) {
        i++;
    }
    return i;
}

void ensemble_world(const struct ensemble_plan *plan, const double *point, struct world *world)
{
    for (size_t i = 0; i < plan->free_count; i++) {
        ensemble_free_text(&plan->free[i], point[i], world->text[i]);
    }
    for (size_t i = 0; i < plan->regime_count; i++) {
        const struct ensemble_regime *regime = &plan->regime[i];
        size_t at = (size_t)(point[plan->free_count + i] * (double)regime->count);

        at = at < regime->count ? at : regime->count - 1;
        memcpy(world->text[plan->free_count + i], regime->value[at], ENSEMBLE_TEXT);
    }
}

static bool same_spot(const struct ensemble_spot *a, const struct ensemble_spot *b)
{
    if (strcmp(a->variant, b->variant) != 0 || a->settings != b->settings) {
        return false;
    }
    for (size_t i = 0; i < a->settings; i++) {
        if (strcmp(a->setting[i], b->setting[i]) != 0) {
            return false;
        }
    }
    return true;
}

size_t ensemble_spot_of(struct ensemble_plan *plan, const struct ensemble_spot *spot)
{
    size_t i = 0;

    while (i < plan->spots && !same_spot(&plan->spot[i], spot)) {
        i++;
    }
    if (i == plan->spots && i < ENSEMBLE_SPOTS) {
        plan->spot[plan->spots++] = *spot;
    }
    if (i < ENSEMBLE_SPOTS) {
        plan->spot[i].accepts = plan->spot[i].accepts || spot->accepts;
    }
    return i < ENSEMBLE_SPOTS ? i : ENSEMBLE_NO_SPOT;
}

const struct ensemble_target *ensemble_twin(const struct ensemble_plan *plan,
                                            const struct ensemble_target *of, const char *over)
{
    struct ensemble_spot spot = plan->spot[of->term[0].spot];

    memset(spot.variant, 0, sizeof spot.variant);
    snprintf(spot.variant, sizeof spot.variant, "%s", over);
    for (size_t i = 0; i < plan->targets; i++) {
        const struct ensemble_target *target = &plan->target[i];
        const struct ensemble_spot *at = &plan->spot[target->term[0].spot];

        if (target->measure == ENSEMBLE_VALUE && target->metric == of->metric &&
            strcmp(at->variant, spot.variant) == 0 && at->settings == spot.settings &&
            memcmp(at->setting, spot.setting, sizeof at->setting) == 0) {
            return target;
        }
    }
    return NULL;
}

double ensemble_null(const struct ensemble_plan *plan, const struct ensemble_target *target)
{
    const struct ensemble_target *first;

    if (ensemble_is_gain(target)) {
        return 0;
    }
    if (target->measure != ENSEMBLE_VALUE || plan->second[0] == '\0' ||
        strcmp(plan->spot[target->term[0].spot].variant, plan->second) != 0) {
        return NAN;
    }
    first = ensemble_twin(plan, target, plan->first);
    return first ? first->published : NAN;
}
