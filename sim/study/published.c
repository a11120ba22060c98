/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table in memory: what can be asked of it. Reading it is published_read.c. */
#include "sim/study/published.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/data_dir.h"

static const char *const roles[ROLES] = {"calibrated", "held-out", "directional"};

const char *role_name(enum role role)
{
    return roles[role];
}

void published_free(struct published *published)
{
    if (!published) {
        return;
    }
    for (size_t i = 0; i < published->variant_count; i++) {
        perf_profile_fini(&published->variant[i].profile);
    }
    free(published->ensemble);
    free(published);
}

size_t published_free_parameters(const struct published *published)
{
    size_t unknowns = 0; /* ensembles of a table are of the same ones */

    for (size_t i = 0; i < published->ensembles; i++) {
        size_t own = ensemble_unknowns(&published->ensemble[i]);

        unknowns = own > unknowns ? own : unknowns;
    }
    return published->cost_count + (published->free_param ? 1 : 0) + published->fitted_count +
           unknowns;
}

double published_ns(const struct published *published)
{
    return 1e9 / published->variant[0].rate.mean_pps;
}

double published_gain_percent(const struct published *published, size_t variant)
{
    const struct published_variant *v = &published->variant[variant];

    return v->has_rate ? 100 * (v->rate.mean_pps / published->variant[0].rate.mean_pps - 1) : NAN;
}

double published_gain_error(const struct published *published, size_t variant, bool independent)
{
    const struct rate_column *x = &published->variant[variant].rate;
    const struct rate_column *base = &published->variant[0].rate;
    double a = rate_column_error(x, independent ? x->count : x->independent);
    double b = rate_column_error(base, independent ? base->count : base->independent);

    return 100 * x->mean_pps / base->mean_pps * sqrt(a * a + b * b);
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

bool published_list(char (*names)[PUBLISHED_NAME], size_t room, size_t *count, struct error *error)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    struct dirent *entry;
    DIR *dir;

    *count = 0;
    if (!data_dir_find("scenarios", NULL, folder, sizeof folder, error)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/published", folder);
    dir = opendir(path);
    if (!dir) {
        return error_set_errno(error, ERROR_INPUT, path);
    }
    while ((entry = readdir(dir)) && *count < room) {
        const char *dot = strrchr(entry->d_name, '.');
        size_t length = dot ? (size_t)(dot - entry->d_name) : 0;

        /* symbols.json says how to read profiles, the others are tables */
        if (dot && strcmp(dot, ".json") == 0 && strcmp(entry->d_name, "symbols.json") != 0 &&
            length > 0 && length < PUBLISHED_NAME) {
            snprintf(names[(*count)++], PUBLISHED_NAME, "%.*s", (int)length, entry->d_name);
        }
    }
    closedir(dir);
    qsort(names, *count, sizeof *names, compare);
    return true;
}
