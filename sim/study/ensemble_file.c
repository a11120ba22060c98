/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/ensemble_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/document.h"
#include "sim/study/json_out.h"

/* ---- writing ---- */

static void write_tried(struct json_out *json, const struct ensemble_plan *plan,
                        const struct ensemble_search *search)
{
    json_object(json, "_tried");
    for (size_t r = 0; r < plan->regime_count; r++) {
        json_object(json, plan->regime[r].place.row->path);
        for (size_t v = 0; v < plan->regime[r].count; v++) {
            const struct ensemble_tried *tried = &search->tried[r][v];

            json_object(json, plan->regime[r].value[v]);
            json_unsigned(json, "draws", tried->draws);
            json_number(json, "best_draw", round(tried->best_draw));
            json_unsigned(json, "starts", tried->starts);
            json_unsigned(json, "accepted", tried->accepted);
            json_end(json);
        }
        json_end(json);
    }
    json_end(json);
}

static void write_world(struct json_out *json, const struct ensemble_plan *plan,
                        const struct world *world)
{
    char name[16];

    snprintf(name, sizeof name, "w%04u", world->draw);
    json_object(json, name);
    json_number(json, "_score", round(world->score * 100) / 100);
    json_unsigned(json, "_asked", world->asked);
    for (size_t i = 0; i < ensemble_unknowns(plan); i++) {
        const struct param *row = ensemble_unknown(plan, i).row;

        if (param_bare_in_json(row, world->text[i])) {
            json_value(json, row->path, world->text[i]);
        } else {
            json_text(json, row->path, world->text[i]);
        }
    }
    json_end(json);
}

char *ensemble_file_text(const struct ensemble_plan *plan, const struct ensemble_search *search,
                         const char *table)
{
    char *text = NULL, what[320];
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    struct json_out json;

    if (!out) {
        abort();
    }
    json_init(&json, out, 2);
    json_object(&json, NULL);
    snprintf(what, sizeof what,
             "Worlds that meet the calibrated cells of %s (%s). Each is one cost table for all "
             "variants and sizes; include the file beside the bed to run them as cases.",
             table, plan->name);
    json_text(&json, "_what", what);
    json_unsigned(&json, "_seed", plan->seed);
    json_unsigned(&json, "_draws", search->draws);
    json_unsigned(&json, "_starts", search->starts);
    write_tried(&json, plan, search);
    json_object(&json, "cases");
    for (size_t i = 0; i < search->count; i++) {
        write_world(&json, plan, &search->world[i]);
    }
    json_end(&json);
    json_end(&json);
    if (fclose(out) != 0) {
        abort();
    }
    return text;
}

/* ---- reading ---- */

static bool number(struct node node, double *value)
{
    char text[JSON_NUMBER_MOST + 1];

    if (!node.item || !node_number(node, text)) {
        return false;
    }
    *value = strtod(text, NULL);
    return isfinite(*value);
}

static bool read_value(const struct ensemble_plan *plan, struct node node, struct world *world)
{
    const char *text = node_text(node);
    char shown[ENSEMBLE_TEXT];

    text = text ? text : node_show(node, shown, sizeof shown);
    for (size_t i = 0; i < ensemble_unknowns(plan); i++) {
        if (strcmp(ensemble_unknown(plan, i).row->path, node_key(node)) == 0 &&
            strlen(text) < ENSEMBLE_TEXT) {
            snprintf(world->text[i], ENSEMBLE_TEXT, "%s", text);
            return true;
        }
    }
    return false;
}

/* Whether a value is one that the plan allows. */
static bool is_allowed(const struct ensemble_plan *plan, const struct world *world, size_t i)
{
    if (i < plan->free_count) {
        double value = ensemble_free_value(plan->free[i].place, world->text[i]);
        const double rounding = 1e-3;

        return value >= (1 - rounding) * plan->free[i].low &&
               value <= (1 + rounding) * plan->free[i].high;
    }
    return ensemble_regime_index(&plan->regime[i - plan->free_count], world->text[i]) <
           plan->regime[i - plan->free_count].count;
}

static void read_world(const struct ensemble_plan *plan, struct node node, struct world *world,
                       struct problems *problems)
{
    double score = NAN;

    memset(world, 0, sizeof *world);
    world->draw = (uint32_t)strtoul(node_key(node)[0] ? node_key(node) + 1 : "0", NULL, 10);
    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        if (strcmp(node_key(n), "_score") == 0 && number(n, &score)) {
            world->score = score;
        } else if (node_key(n)[0] != '_' && !read_value(plan, n, world)) {
            node_problem(n, problems, false, node_key(n), "no unknown of the ensemble");
        }
    }
    for (size_t i = 0; i < ensemble_unknowns(plan); i++) {
        if (world->text[i][0] == '\0' || !is_allowed(plan, world, i)) {
            node_problem(node, problems, false, ensemble_unknown(plan, i).row->path, "%s",
                         world->text[i][0] ? "outside what the ensemble allows" : "missing");
        }
    }
}

static uint32_t read_count(struct node root, const char *key)
{
    double value = 0;

    return number(node_member(root, key), &value) && value >= 0 ? (uint32_t)value : 0;
}

static void read_worlds(struct ensemble_search *search, const struct ensemble_plan *plan,
                        struct node root, struct problems *problems)
{
    struct node cases = node_member(root, "cases");
    size_t count = 0;

    for (struct node n = node_first(cases); n.item; n = node_next(n)) {
        count++;
    }
    search->world = calloc(count + 1, sizeof *search->world);
    if (!search->world || count == 0) {
        node_problem(root, problems, false, "cases", "worlds are needed");
        return;
    }
    for (struct node n = node_first(cases); n.item; n = node_next(n)) {
        read_world(plan, n, &search->world[search->count++], problems);
    }
    search->draws = read_count(root, "_draws");
    search->starts = read_count(root, "_starts");
}

bool ensemble_file_read(struct ensemble_search *search, const struct ensemble_plan *plan,
                        const char *file, struct problems *problems)
{
    size_t errors = problems->errors;
    struct document doc;

    memset(search, 0, sizeof *search);
    if (document_open(&doc, file, problems)) {
        read_worlds(search, plan, document_root(&doc), problems);
    }
    document_fini(&doc);
    return problems->errors == errors;
}
