/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/unit.h"

#define FIRST_PASSES 4
#define LAST_PASSES  3
#define PRECISION_NS 0.5 /* of the free cost; it is rounded to whole ns */
#define SETTINGS     (PUBLISHED_COSTS + 3)

/* While it searches: the bed is run for a shorter time than the scenario says. */
static const char *const search_window[] = {"duration=20ms", "warmup=20ms"};

struct search {
    struct calibration *c;
    struct bed *bed;
    struct error *error;
};

static double time_ns(const char *text)
{
    struct error error = {0};
    double value = 0;
    int64_t whole;

    return unit_read(UNIT_TIME, text, false, &value, &whole, &error) ? value / SIM_NS : NAN;
}

static struct calibrated_cost start(const struct param *param)
{
    return (struct calibrated_cost){
        .param = param,
        .value_ns = time_ns(param->fallback),
        .low_ns = time_ns(param->certificate.low),
        .high_ns = time_ns(param->certificate.high),
        .fitted = true,
        .in_range = true,
        .published_ns = NAN,
        .simulated_ns = NAN,
    };
}

size_t calibrate_variant(const struct published *published, const char *name)
{
    size_t found = CALIBRATE_HIDE_NOTHING;

    for (size_t i = 0; i < published->variant_count; i++) {
        if (strcmp(published->variant[i].name, name) == 0) {
            return i;
        }
        if (name[0] && strncmp(published->variant[i].name, name, strlen(name)) == 0) {
            found = found == CALIBRATE_HIDE_NOTHING ? i : PUBLISHED_VARIANTS + 1;
        }
    }
    return found < published->variant_count ? found : CALIBRATE_HIDE_NOTHING;
}

size_t calibrate_settings(const struct calibration *c, char (*text)[CALIBRATE_SET_BYTES])
{
    size_t count = 0;

    for (size_t i = 0; i < c->count; i++) {
        snprintf(text[count++], CALIBRATE_SET_BYTES, "%s=%.3fns", c->cost[i].param->path,
                 c->cost[i].value_ns);
    }
    if (c->free.param) {
        snprintf(text[count++], CALIBRATE_SET_BYTES, "%s=%.3fns", c->free.param->path,
                 c->free.value_ns);
    }
    return count;
}

static bool run(struct search *s, bool searching)
{
    char text[SETTINGS][CALIBRATE_SET_BYTES];
    const char *set[SETTINGS + 2];
    size_t count = calibrate_settings(s->c, text);

    for (size_t i = 0; i < count; i++) {
        set[i] = text[i];
    }
    for (size_t i = 0; searching && i < sizeof search_window / sizeof search_window[0]; i++) {
        set[count++] = search_window[i];
    }
    return bed_run(s->bed, set, count, s->error);
}

static const struct bed_variant *variant(struct search *s, size_t index)
{
    const char *name = s->c->published->variant[index].name;
    const struct bed_variant *v = bed_find(s->bed, name);

    if (!v) {
        error_set(s->error, ERROR_INPUT, "", "the bed has no variant '%s'", name);
    }
    return v;
}

/* What the last run says of a cost's symbol. */
static bool observe(struct search *s, size_t i)
{
    const struct published_cost *from = &s->c->published->cost[i];
    const struct bed_variant *v = variant(s, from->variant);
    bool symbol[SYMBOL_COUNT] = {false};

    if (!v) {
        return false;
    }
    if (from->symbol < SYMBOL_COUNT) {
        symbol[from->symbol] = true;
        s->c->cost[i].simulated_ns = bed_ns(s->bed, v, symbol).mean;
    }
    return true;
}

/* One step towards the fixed point, for every cost whose figures may be seen. */
static bool adjust(struct search *s)
{
    for (size_t i = 0; i < s->c->count; i++) {
        struct calibrated_cost *cost = &s->c->cost[i];

        if (!observe(s, i)) {
            return false;
        }
        if (!cost->fitted) {
            continue;
        }
        if (s->c->published->cost[i].symbol == SYMBOL_COUNT) {
            cost->value_ns = cost->published_ns;
        } else {
            cost->value_ns = fmax(0, cost->value_ns + cost->published_ns - cost->simulated_ns);
        }
    }
    return true;
}

static bool passes(struct search *s, int count, bool searching)
{
    for (int i = 0; i < count; i++) {
        if (!run(s, searching) || !adjust(s)) {
            return false;
        }
    }
    return true;
}

static bool gain(struct search *s, struct interval *percent)
{
    const struct bed_variant *v = variant(s, s->c->target_variant), *first = variant(s, 0);

    if (!v || !first) {
        return false;
    }
    *percent = bed_gain_percent(s->bed, v, first);
    return true;
}

/* Gain above the published one when the free cost is x and the others have followed. */
static bool miss(void *context, double x, double *value)
{
    struct search *s = context;
    struct interval percent;

    s->c->free.value_ns = x;
    if (!passes(s, 1, true) || !run(s, true) || !gain(s, &percent)) {
        return false;
    }
    *value = percent.mean - s->c->target_percent;
    return true;
}

static void prepare(struct calibration *c, const struct published *p, size_t hide)
{
    memset(c, 0, sizeof *c);
    c->published = p;
    c->hide = hide;
    c->count = p->cost_count;
    for (size_t i = 0; i < c->count; i++) {
        c->cost[i] = start(p->cost[i].param);
        c->cost[i].fitted = p->cost[i].variant != hide;
        c->cost[i].published_ns = p->cost[i].percent / 100 * published_ns(p);
        /* No default goes in, it may come from what is hidden: the whole share, or the middle of
         * the range. */
        c->cost[i].value_ns = c->cost[i].fitted ? c->cost[i].published_ns
                                                : (c->cost[i].low_ns + c->cost[i].high_ns) / 2;
    }
    c->error_ns = c->error_correlated_ns = c->line_sharing_ns = c->slow_free_ns = NAN;
    if (p->free_param) {
        c->free = start(p->free_param);
        c->free.value_ns = (c->free.low_ns + c->free.high_ns) / 2;
        c->target_variant = p->free_variant == hide ? p->otherwise_variant : p->free_variant;
        c->target_percent = p->free_variant == hide ? p->otherwise_gain_percent
                                                    : published_gain_percent(p, p->free_variant);
    }
}

/* Where a value comes from, in words. */
static void explain(struct calibration *c, size_t i)
{
    const struct published_cost *from = &c->published->cost[i];
    struct calibrated_cost *cost = &c->cost[i];
    double besides = cost->simulated_ns - cost->value_ns;
    int length = snprintf(cost->source, sizeof cost->source, "%.2f %% of %.1f ns (profile of %s)",
                          from->percent, published_ns(c->published),
                          c->published->variant[from->variant].name);

    if (!cost->fitted) {
        snprintf(cost->source, sizeof cost->source, "hidden: the middle of its plausible range");
    } else if (besides > 0.05) {
        snprintf(cost->source + length, sizeof cost->source - (size_t)length,
                 " less %.1f ns that the run charges to it besides", besides);
    } else if (besides < -0.05) {
        snprintf(cost->source + length, sizeof cost->source - (size_t)length,
                 ", charged %.2f times a packet", cost->simulated_ns / cost->value_ns);
    }
}

static double rounded(double value, double per_ns)
{
    return round(value * per_ns) / per_ns;
}

static bool in_range(const struct calibrated_cost *cost)
{
    return cost->value_ns > cost->low_ns - 1e-6 && cost->value_ns < cost->high_ns + 1e-6;
}

static void round_all(struct calibration *c)
{
    c->ok = c->root.end == FIT_FOUND;
    for (size_t i = 0; i < c->count; i++) {
        c->cost[i].value_ns = rounded(c->cost[i].value_ns, CALIBRATE_STEPS_PER_NS);
        c->cost[i].in_range = in_range(&c->cost[i]);
        c->ok = c->ok && (c->cost[i].in_range || !c->cost[i].fitted);
    }
    if (c->free.param) {
        c->free.value_ns = rounded(c->free.value_ns, CALIBRATE_FREE_STEPS_PER_NS);
        c->free.in_range = in_range(&c->free) && c->root.end == FIT_FOUND;
    }
}

/* The sums that the data fix where their terms stay open. */
static void separate(struct search *s)
{
    static const bool allocator[SYMBOL_COUNT] = {[SYMBOL_KMALLOC] = true,
                                                 [SYMBOL_KFREE] = true,
                                                 [SYMBOL_SLAB_ALLOC] = true,
                                                 [SYMBOL_SLAB_FREE] = true};
    static const bool slow[SYMBOL_COUNT] = {[SYMBOL_SLAB_FREE] = true};
    const struct bed_variant *none = variant(s, 0), *cache = bed_find(s->bed, "cache");
    const struct bed_variant *kmem = bed_find(s->bed, "kmem_cache");
    bool all[SYMBOL_COUNT];

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        all[i] = true;
    }
    if (none && cache) {
        s->c->line_sharing_ns = bed_ns(s->bed, none, all).mean - bed_ns(s->bed, cache, all).mean -
                                bed_ns(s->bed, none, allocator).mean;
    }
    if (kmem) {
        s->c->slow_free_ns = bed_ns(s->bed, kmem, slow).mean;
    }
}

static void judge_free(struct calibration *c)
{
    const struct published *p = c->published;

    if (p->variant[c->target_variant].has_rate && c->root.slope > 0) {
        c->error_ns = published_gain_error(p, c->target_variant, true) / c->root.slope;
        c->error_correlated_ns = published_gain_error(p, c->target_variant, false) / c->root.slope;
        snprintf(c->free.source, sizeof c->free.source,
                 "fitted to the gain of %s, %.2f %%; standard error %.0f ns, %.0f ns with the "
                 "autocorrelation of the runs",
                 p->variant[c->target_variant].name, c->target_percent, c->error_ns,
                 c->error_correlated_ns);
    } else {
        snprintf(c->free.source, sizeof c->free.source, "fitted to a gain of %s of %.2f %%",
                 p->variant[c->target_variant].name, c->target_percent);
    }
}

bool calibrate(struct calibration *c, const struct published *published, struct bed *bed,
               size_t hide, struct error *error)
{
    struct search s = {c, bed, error};

    prepare(c, published, hide);
    if (!passes(&s, FIRST_PASSES, true)) {
        return false;
    }
    if (c->free.param) {
        c->root = fit_root(miss, &s, c->free.low_ns, c->free.high_ns, PRECISION_NS);
        if (c->root.end == FIT_FAILED) {
            return error_set(error, ERROR_SYSTEM, "", "the fit of %s gave up", c->free.param->path);
        }
        c->free.value_ns = rounded(c->root.x, CALIBRATE_FREE_STEPS_PER_NS);
    }
    /* The others follow the rounded value in the window that counts. */
    if (!passes(&s, LAST_PASSES, false)) {
        return false;
    }
    round_all(c);
    if (!run(&s, false) || (c->free.param && !gain(&s, &c->reached_percent))) {
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        observe(&s, i);
        explain(c, i);
    }
    if (c->free.param) {
        judge_free(c);
    }
    separate(&s);
    return true;
}
