/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim recommend: the default to choose, per case and over all of them. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/replay_table.h"
#include "sim/cli/saving_table.h"
#include "sim/study/recommend_probe.h"
#include "sim/study/recommend_replay.h"
#include "sim/study/table.h"

static void json_values(const struct recommend_case *c, struct json_out *json)
{
    json_array(json, "values");
    for (size_t i = 0; i < c->count; i++) {
        const struct recommend_value *v = &c->values[i];

        json_object(json, NULL);
        json_value(json, "value", v->name);
        json_number(json, "regret_percent", v->regret_percent);
        json_number(json, "half_width_percent", v->half_percent);
        json_number(json, "cost_bytes", v->cost_bytes);
        json_text(json, "verdict", recommend_verdict_name(v->verdict));
        json_unsigned(json, "fresh_replications", v->fresh_n);
        if (v->modes.two) {
            json_array(json, "modes");
            for (int m = 0; m < 2; m++) {
                json_object(json, NULL);
                json_number(json, "guest_ns_per_packet", v->modes.mean[m]);
                json_number(json, "share", v->modes.share[m]);
                json_end(json);
            }
            json_end(json);
        }
        json_end(json);
    }
    json_end(json);
}

static void json_choice(const struct recommend_case *c, struct json_out *json)
{
    if (c->count > 0) {
        json_value(json, "recommended", c->values[c->recommended].name);
        json_value(json, "best", c->values[c->best].name);
    } else {
        json_null(json, "recommended");
        json_null(json, "best");
    }
}

static void print_json(const struct recommend *r)
{
    struct json_out json;

    json_init(&json, stdout, 4);
    json_object(&json, NULL);
    json_text(&json, "parameter", r->parameter);
    json_choice(&r->overall, &json);
    json_number(&json, "tolerance_percent", r->tolerance_percent);
    json_values(&r->overall, &json);
    json_text(&json, "why", r->why);
    json_unsigned(&json, "fresh_replications", r->fresh);
    json_unsigned(&json, "runs", r->runs);
    json_unsigned(&json, "runs_wanted", r->want);
    json_array(&json, "cases");
    for (size_t i = 0; i < r->count; i++) {
        json_object(&json, NULL);
        json_text(&json, "case", r->cases[i].label);
        json_bool(&json, "set_aside", recommend_is_set_aside(&r->cases[i]));
        json_choice(&r->cases[i], &json);
        json_values(&r->cases[i], &json);
        json_unsigned(&json, "fresh_replications", r->cases[i].fresh);
        saving_json(&r->cases[i], &json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

/* Once values were run again only those are shown, and what is worse than the first. */
static bool is_shown(const struct recommend_case *c, size_t i)
{
    const struct recommend_value *v = &c->values[i], *first = &c->values[0];

    return c->fresh == 0 || v->fresh_n > 0 ||
           v->regret_percent - v->half_percent > first->regret_percent + first->half_percent;
}

static void print_case(const struct recommend *r, const struct recommend_case *c, const char *title)
{
    struct table table;

    if (c->count == 0) {
        return;
    }
    printf("\n%s: %s %s%s\n", title, r->parameter, c->values[c->recommended].name,
           recommend_is_set_aside(c) ? " (gaps of an emulated machine: set aside)" : "");
    table_init(&table, "lrrrl");
    table_add(&table, "value");
    table_add(&table, "regret, %% of the best");
    table_add(&table, "+-");
    table_add(&table, "bytes");
    table_add(&table, "%s", "");
    table_end_row(&table);
    for (size_t i = 0; i < c->count; i++) {
        const struct recommend_value *v = &c->values[i];

        if (!is_shown(c, i)) {
            continue;
        }
        table_add(&table, "%s%s", v->name, v->fresh_n > 0 ? "*" : "");
        table_add(&table, isfinite(v->regret_percent) ? "%.3f" : "n/a", v->regret_percent);
        table_add(&table, isfinite(v->half_percent) ? "%.3f" : "n/a", v->half_percent);
        table_add(&table, "%.0f", v->cost_bytes);
        if (v->modes.two) {
            table_add(&table, "%s, two modes: %.1f ns (%.0f %%), %.1f ns (%.0f %%)",
                      recommend_verdict_name(v->verdict), v->modes.mean[0], 100 * v->modes.share[0],
                      v->modes.mean[1], 100 * v->modes.share[1]);
        } else {
            table_add(&table, "%s", recommend_verdict_name(v->verdict));
        }
        table_end_row(&table);
    }
    table_print(&table, stdout);
    table_fini(&table);
}

static void print_text(const struct recommend *r)
{
    const struct recommend_case *all = &r->overall;

    printf("recommended: %s %s (tolerance %g %% of a packet's guest time)\n%s\n", r->parameter,
           all->count > 0 ? all->values[all->recommended].name : "none", r->tolerance_percent,
           r->why);
    if (r->runs < r->want) {
        printf("unfinished: %llu of %llu runs are there; the same vqsim sweep computes the rest\n",
               (unsigned long long)r->runs, (unsigned long long)r->want);
    }
    if (r->confirmed == r->count) {
        printf("confirmed: * %u replications under another seed\n", (unsigned)r->fresh);
    } else if (r->confirmed > 0) {
        printf("confirmed in %zu of %zu cases: * was run again under another seed\n", r->confirmed,
               r->count);
    } else {
        printf("not confirmed: these are the runs that chose it; vqsim sweep without --no-probes "
               "runs it again\n");
    }
    for (size_t i = 0; i < r->count; i++) {
        print_case(r, &r->cases[i], r->cases[i].label);
    }
    if (r->count > 1) {
        print_case(r, all, "worst of all cases");
    }
    replay_table_print(r, stdout);
    saving_table_print(r, stdout);
}

static int recommend(const char *file, const char *parameter, double tolerance, bool json)
{
    struct error error = {0};
    struct recommend r = {0};
    struct store *store = store_open(file, false, &error);
    bool ok = store && store_check_revision(store, &error) &&
              recommend_read(&r, store, 0, parameter, tolerance, &error) &&
              recommend_take_probes(&r, store, &error);

    if (ok && json) {
        print_json(&r);
    } else if (ok) {
        print_text(&r);
    } else if (error.source[0] == '\0') {
        snprintf(error.source, sizeof error.source, "%s", file);
    }
    recommend_free(&r);
    store_close(store);
    return ok ? command_finish(0) : command_fail(&error);
}

int cmd_recommend(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"parameter", required_argument, NULL, 'p'},
        {"tolerance", required_argument, NULL, 't'},
        {"json", no_argument, NULL, 'J'},
        {NULL, 0, NULL, 0},
    };
    double tolerance = RECOMMEND_TOLERANCE_PERCENT;
    const char *parameter = NULL;
    bool json = false;
    char *end;

    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (c == 'p') {
            parameter = optarg;
        } else if (c == 't') {
            tolerance = strtod(optarg, &end);
            if (end == optarg || *end != '\0' || !(tolerance >= 0 && tolerance <= 100)) {
                return command_usage("recommend", "--tolerance %s: a percentage is needed, 0..100",
                                     optarg);
            }
        } else if (c == 'J') {
            json = true;
        } else {
            return command_usage("recommend", "unknown option, or one without its value: %s",
                                 argv[optind - 1]);
        }
    }
    if (argc - optind != 1) {
        return command_usage("recommend", "one store is needed, %d given", argc - optind);
    }
    return recommend(argv[optind], parameter, tolerance, json);
}
