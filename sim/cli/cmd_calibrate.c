/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim calibrate: a cost table from perf profiles and measured rates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/calibrate_ensemble.h"
#include "sim/cli/command.h"
#include "sim/cli/table_args.h"
#include "sim/study/calibrate.h"
#include "sim/study/table.h"
#include "sim/study/text_file.h"
#include "sim/study/validate.h"

static const char *const ends[] = {"found", "below its range", "above its range", "failed"};

static const char *hidden_name(const struct calibration *c)
{
    return c->hide == CALIBRATE_HIDE_NOTHING ? NULL : c->published->variant[c->hide].name;
}

static void add_cost(struct table *table, const struct calibrated_cost *cost)
{
    table_add(table, "%s", !cost->fitted ? "-" : cost->in_range ? "ok" : "FAIL");
    table_add(table, "%s", cost->param->path);
    table_add(table, "%.4g", cost->value_ns);
    table_add(table, "%.4g..%.4g", cost->low_ns, cost->high_ns);
    if (isfinite(cost->simulated_ns)) {
        table_add(table, "%.1f", cost->published_ns);
        table_add(table, "%.1f", cost->simulated_ns);
        table_add(table, "%+.2f", cost->simulated_ns - cost->published_ns);
    } else {
        for (int i = 0; i < 3; i++) {
            table_add(table, "%s", "");
        }
    }
    table_add(table, "%s", cost->source);
    table_end_row(table);
}

static void print_costs(const struct calibration *c)
{
    static const char *const titles[] = {"",          "cost",      "ns",       "plausible",
                                         "published", "simulated", "residual", "from"};
    struct table table;

    table_init(&table, "llrlrrrl");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_add(&table, "%s", titles[i]);
    }
    table_end_row(&table);
    for (size_t i = 0; i < c->count; i++) {
        add_cost(&table, &c->cost[i]);
    }
    if (c->free.param) {
        add_cost(&table, &c->free);
    }
    table_print(&table, stdout);
    table_fini(&table);
}

static void print_fit(const struct calibration *c)
{
    const struct published *p = c->published;
    double saved = published_ns(p) - 1e9 / p->variant[c->target_variant].rate.mean_pps;
    double slope_ns = published_ns(p) / 100 / pow(1 + c->target_percent / 100, 2);

    if (!c->free.param) {
        return;
    }
    printf("\n%s: %.0f ns, gain of %s %.2f %% published, %.2f +- %.2f %% simulated; root %s, %u "
           "evaluations\n",
           c->free.param->path, c->free.value_ns, p->variant[c->target_variant].name,
           c->target_percent, c->reached_percent.mean, c->reached_percent.half_width,
           ends[c->root.end], c->root.evaluations);
    if (isfinite(c->error_ns)) {
        printf(
            "published: %.1f +- %.1f ns saved (standard error, runs as independent), so the cost "
            "is "
            "known to +- %.0f ns; with the autocorrelation of the runs +- %.1f ns and +- %.0f ns\n",
            saved, slope_ns * published_gain_error(p, c->target_variant, true), c->error_ns,
            slope_ns * published_gain_error(p, c->target_variant, false), c->error_correlated_ns);
    }
    printf("\nwhat the data cannot tell apart:\n"
           "  p x write_alloc - write_free - 2 pop_push = %.1f ns (p: tables whose line the device "
           "read "
           "before reuse)\n"
           "  slow_free x share of slow frees, and the line in it = %.1f ns\n",
           c->line_sharing_ns, c->slow_free_ns);
}

/* Whether a cell is a prediction: it is about the hidden variant, and none is there for just this
 * case. */
static bool predicted(const struct calibration *c, const struct published_cell *cell)
{
    const struct published *p = c->published;

    for (size_t i = 0; i < p->cell_count && !cell->hide[0]; i++) {
        if (p->cell[i].hide[0] && p->cell[i].variant == cell->variant &&
            p->cell[i].measure == cell->measure) {
            return false;
        }
    }
    return cell->variant == c->hide;
}

static bool print_predictions(const struct calibration *c, const struct bed *bed,
                              struct json_out *json, struct error *error)
{
    const struct published *p = c->published;

    for (size_t i = 0; i < p->cell_count; i++) {
        const struct published_cell *cell = &p->cell[i];
        struct validate_row row;

        if (!predicted(c, cell)) {
            continue;
        }
        if (!validate_cell(&row, p, cell, bed, error)) {
            return false;
        }
        if (json) {
            json_object(json, NULL);
            validate_row_json(&row, p->table, json);
            json_end(json);
        } else {
            printf("  %-45s published %.2f, predicted %.2f +- %.2f %s%s\n", cell->cell,
                   cell->published, row.simulated, row.half_width, cell->unit,
                   !row.limited ? ""
                   : row.ok     ? " (accepted)"
                                : " (NOT accepted)");
        }
    }
    return true;
}

static bool print_text(const struct calibration *c, const struct bed *bed, struct error *error)
{
    bool ok = true;

    printf("%s: calibrated on rates and profiles%s%s\n\n", c->published->table,
           hidden_name(c) ? ", hidden: " : "", hidden_name(c) ? hidden_name(c) : "");
    print_costs(c);
    print_fit(c);
    if (hidden_name(c)) {
        printf("\npredictions for %s:\n", hidden_name(c));
        ok = print_predictions(c, bed, NULL, error);
    }
    printf("\n%s\n", c->ok ? "every fitted cost is in its plausible range"
                           : "FAIL: a fitted cost left its plausible range");
    return ok;
}

static void cost_json(struct json_out *json, const struct calibrated_cost *cost)
{
    json_object(json, NULL);
    json_text(json, "parameter", cost->param->path);
    json_number(json, "value_ns", cost->value_ns);
    json_number(json, "low_ns", cost->low_ns);
    json_number(json, "high_ns", cost->high_ns);
    json_bool(json, "fitted", cost->fitted);
    json_bool(json, "ok", cost->in_range);
    json_number(json, "published_ns", cost->published_ns);
    json_number(json, "simulated_ns", cost->simulated_ns);
    json_number(json, "residual_ns", cost->simulated_ns - cost->published_ns);
    json_text(json, "source", cost->source);
    json_end(json);
}

static void fit_json(struct json_out *json, const struct calibration *c)
{
    json_object(json, "fit");
    json_text(json, "variant", c->published->variant[c->target_variant].name);
    json_number(json, "published_percent", c->target_percent);
    json_number(json, "simulated_percent", c->reached_percent.mean);
    json_number(json, "half_width", c->reached_percent.half_width);
    json_number(json, "error_ns", c->error_ns);
    json_number(json, "error_correlated_ns", c->error_correlated_ns);
    json_text(json, "end", ends[c->root.end]);
    json_unsigned(json, "evaluations", c->root.evaluations);
    json_end(json);
    json_object(json, "not_separable");
    json_number(json, "p x write_alloc - write_free - 2 pop_push", c->line_sharing_ns);
    json_number(json, "slow_free x share of slow frees", c->slow_free_ns);
    json_end(json);
}

static bool print_json(const struct calibration *c, const struct bed *bed, struct error *error)
{
    struct json_out json;
    bool ok;

    json_init(&json, stdout, 3);
    json_object(&json, NULL);
    json_text(&json, "table", c->published->table);
    json_text(&json, "hidden", hidden_name(c));
    json_array(&json, "costs");
    for (size_t i = 0; i < c->count; i++) {
        cost_json(&json, &c->cost[i]);
    }
    if (c->free.param) {
        cost_json(&json, &c->free);
    }
    json_end(&json);
    fit_json(&json, c);
    json_array(&json, "predictions");
    ok = print_predictions(c, bed, &json, error);
    json_end(&json);
    json_bool(&json, "ok", c->ok);
    json_end(&json);
    return ok;
}

static bool write_table(const struct calibration *c, const char *file, struct error *error)
{
    char *text = calibrate_table(c);
    bool ok = text_file_write(file, text, error);

    free(text);
    return ok;
}

static int run(const struct table_args *args, const struct published *p, size_t hide)
{
    struct calibration *c = calloc(1, sizeof *c);
    struct error error = {0};
    struct bed bed;
    int code;
    bool ok;

    if (!c) {
        abort();
    }
    ok = bed_open(&bed, p->bed, &args->experiment, &error) && calibrate(c, p, &bed, hide, &error) &&
         (!args->out || write_table(c, args->out, &error)) &&
         (args->json ? print_json(c, &bed, &error) : print_text(c, &bed, &error));
    code = ok           ? command_finish(c->ok ? 0 : ERROR_DIFFERS)
           : bed.signal ? 128 + bed.signal
                        : command_fail(&error);
    bed_close(&bed);
    free(c);
    return code;
}

int cmd_calibrate(int argc, char **argv)
{
    struct table_args args;
    struct problems problems;
    struct published *published = NULL;
    size_t hide = CALIBRATE_HIDE_NOTHING;
    int code = table_args_read(&args, argc, argv, TABLE_OUT | TABLE_HIDE | TABLE_ENSEMBLE);

    if (code == 0 && !args.table) {
        code = command_usage("calibrate", "a table is needed, for instance desc-cache");
    }
    if (code != 0) {
        return code;
    }
    problems_init(&problems);
    published = published_open(args.table, &problems);
    code = command_problems(&problems);
    problems_fini(&problems);
    if (published && published->ensembles > 0 && published->bed[0] == '\0' &&
        args.starts == 0 && !args.worlds) {
        code = command_usage("calibrate", "%s has ensembles: --ensemble N or --worlds FILE is "
                             "needed", published->table);
    }
    if (published && args.hide) {
        hide = calibrate_variant(published, args.hide);
        if (hide == CALIBRATE_HIDE_NOTHING || hide == 0) {
            code = command_usage("calibrate",
                                 "--hide %s: a variant of the table but its first is needed",
                                 args.hide);
        }
    }
    if (code == 0 && published) {
        code = args.starts > 0 || args.worlds ? calibrate_ensemble(&args, published)
                                              : run(&args, published, hide);
    }
    published_free(published);
    return code;
}
