/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a published table: its own file, then the files of rates and profiles it names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/config.h"
#include "sim/study/data_dir.h"
#include "sim/study/document.h"
#include "sim/study/ensemble_read.h"
#include "sim/study/published.h"

static const char *const measures[MEASURES] = {"rate", "gain", "share", "time", "profile"};

struct reader {
    struct published *published;
    struct problems *problems;
};

static void complain(struct reader *r, struct node at, const char *path, const char *text)
{
    node_problem(at, r->problems, false, path, "%s", text);
}

/* A member that is a text of limited length; false with a problem when it is missing or something
 * else. */
static bool need_text(struct reader *r, struct node object, const char *key, char *into,
                      size_t bytes)
{
    struct node node = node_member(object, key);
    const char *text = node.item ? node_text(node) : NULL;

    if (!text || text[0] == '\0' || strlen(text) >= bytes) {
        complain(r, node.item ? node : object, key, "a text is needed");
        return false;
    }
    memcpy(into, text, strlen(text) + 1);
    return true;
}

static bool take_number(struct node node, double *value)
{
    char text[JSON_NUMBER_MOST + 1];

    if (!node.item || !node_number(node, text)) {
        return false;
    }
    *value = strtod(text, NULL);
    return isfinite(*value);
}

/* `name` beside the table's own file. */
static bool beside(const struct published *p, const char *name, char *path, size_t bytes)
{
    const char *slash = strrchr(p->file, '/');
    int folder = slash ? (int)(slash - p->file) + 1 : 0;
    int length = snprintf(path, bytes, "%.*s%s", folder, p->file, name);

    return length > 0 && (size_t)length < bytes;
}

/* The variant of that name, made when it is new; PUBLISHED_VARIANTS: no room or no name. */
static size_t variant_of(struct reader *r, const char *name)
{
    struct published *p = r->published;
    size_t i = 0;

    if (!name || name[0] == '\0' || strlen(name) >= PUBLISHED_NAME) {
        return PUBLISHED_VARIANTS;
    }
    while (i < p->variant_count && strcmp(p->variant[i].name, name) != 0) {
        i++;
    }
    if (i == p->variant_count && i < PUBLISHED_VARIANTS) {
        snprintf(p->variant[i].name, PUBLISHED_NAME, "%s", name);
        p->variant_count++;
    }
    return i;
}

/* The member "variant", which rates or profiles named before. */
static bool need_variant(struct reader *r, struct node object, size_t *variant)
{
    struct node node = node_member(object, "variant");
    size_t before = r->published->variant_count;

    *variant = variant_of(r, node.item ? node_text(node) : NULL);
    if (*variant < before) {
        return true;
    }
    r->published->variant_count = before;
    *variant = 0;
    complain(r, node.item ? node : object, "variant",
             "a variant with a rate or a profile is needed");
    return false;
}

static int symbol_of(struct node node)
{
    const char *text = node.item ? node_text(node) : NULL;
    int symbol = 0;

    while (text && symbol < SYMBOL_COUNT && strcmp(symbol_name((enum symbol)symbol), text) != 0) {
        symbol++;
    }
    return text ? symbol : SYMBOL_COUNT;
}

/* The first failure of a file's own reader, as a problem. */
static void pass_on(struct reader *r, const struct error *error)
{
    problems_add(r->problems, false, error);
}

static void read_rates(struct reader *r, struct node rates)
{
    struct node columns = node_member(rates, "columns");
    char name[PUBLISHED_NAME], path[PATH_MAX];

    if (!need_text(r, rates, "file", name, sizeof name)) {
        return;
    }
    if (!columns.item || node_type(columns) != JSON_OBJECT ||
        !beside(r->published, name, path, sizeof path)) {
        complain(r, rates, "rates", "an object of columns by variant is needed");
        return;
    }
    for (struct node n = node_first(columns); n.item; n = node_next(n)) {
        size_t i = variant_of(r, node_key(n));
        struct error error = {0};

        if (i == PUBLISHED_VARIANTS || !node_text(n)) {
            complain(r, n, "rates", "a variant's column is needed");
        } else if (!rate_column_read(&r->published->variant[i].rate, path, node_text(n), &error)) {
            pass_on(r, &error);
        } else {
            r->published->variant[i].has_rate = true;
        }
    }
}

static void read_profiles(struct reader *r, struct node profiles)
{
    for (struct node n = node_first(profiles); n.item; n = node_next(n)) {
        size_t i = variant_of(r, node_key(n));
        char path[PATH_MAX];
        struct error error = {0};

        if (i == PUBLISHED_VARIANTS || !node_text(n) ||
            !beside(r->published, node_text(n), path, sizeof path)) {
            complain(r, n, "profiles", "a variant's file is needed");
        } else if (!perf_profile_read(&r->published->variant[i].profile, path, &error) ||
                   !perf_profile_match(&r->published->variant[i].profile, &error)) {
            pass_on(r, &error);
        } else {
            r->published->variant[i].has_profile = true;
        }
    }
}

/* The row of a cost that "parameter" names; NULL with a problem. */
static const struct param *need_cost(struct reader *r, struct node object)
{
    struct node node = node_member(object, "parameter");
    const char *path = node.item ? node_text(node) : NULL;
    const struct param *param = path ? param_find(&config_schema, path, NULL) : NULL;

    if (!param || param->kind != PARAM_COST) {
        complain(r, node.item ? node : object, "parameter", "the path of a cost is needed");
        return NULL;
    }
    return param;
}

static void read_cost(struct reader *r, struct node node)
{
    struct published *p = r->published;
    struct node perf = node_member(node, "perf");
    struct published_cost *cost = &p->cost[p->cost_count];
    const struct perf_profile *profile;

    if (p->cost_count == PUBLISHED_COSTS) {
        complain(r, node, "costs", "too many");
        return;
    }
    cost->param = need_cost(r, node);
    if (!need_variant(r, node, &cost->variant) || !cost->param) {
        return;
    }
    profile = &p->variant[cost->variant].profile;
    cost->symbol = symbol_of(node_member(node, "symbol"));
    if (perf.item && node_text(perf)) {
        cost->symbol = SYMBOL_COUNT;
        cost->percent = perf_profile_percent(profile, node_text(perf));
    } else if (cost->symbol == SYMBOL_COUNT) {
        complain(r, node, "symbol", "a symbol of the model, or perf with one of the profile");
        return;
    } else {
        cost->rest = !profile->has[cost->symbol];
        cost->percent = cost->rest ? profile->rest : profile->percent[cost->symbol];
    }
    p->cost_count++;
}

static void read_free(struct reader *r, struct node node)
{
    struct node otherwise = node_member(node, "otherwise");

    r->published->free_param = need_cost(r, node);
    need_variant(r, node, &r->published->free_variant);
    if (!need_variant(r, otherwise.item ? otherwise : node, &r->published->otherwise_variant) ||
        !take_number(node_member(otherwise, "gain_percent"),
                     &r->published->otherwise_gain_percent)) {
        complain(r, node, "otherwise", "a variant and its gain_percent are needed");
    }
}

/* Published value of a cell from the files; NaN: they do not tell. */
static double from_files(const struct published *p, const struct published_cell *cell)
{
    const struct published_variant *v = &p->variant[cell->variant];
    double percent = cell->rest ? v->profile.rest : 0;

    switch (cell->measure) {
    case MEASURE_RATE:
        return v->has_rate ? v->rate.mean_pps : NAN;
    case MEASURE_GAIN:
        return published_gain_percent(p, cell->variant);
    default:
        break;
    }
    for (int i = 0; i < SYMBOL_COUNT && !cell->rest; i++) {
        if (cell->symbol[i] && !v->profile.has[i]) {
            return NAN;
        }
        percent += cell->symbol[i] ? v->profile.percent[i] : 0;
    }
    if (!v->has_profile) {
        return NAN;
    }
    return cell->measure == MEASURE_TIME ? percent / 100 * published_ns(p) : percent;
}

static void read_limits(struct reader *r, struct node node, struct published_cell *cell)
{
    struct node range = node_member(node, "accepted"), low, high;
    double within;

    cell->low = cell->high = NAN;
    if (take_number(node_member(node, "accepted_percent"), &within)) {
        within *= fabs(cell->published) / 100;
    } else if (!take_number(node_member(node, "accepted_within"), &within)) {
        within = NAN;
    }
    if (isfinite(within)) {
        cell->low = cell->published - within;
        cell->high = cell->published + within;
    } else if (range.item) {
        low = node_first(range);
        high = low.item ? node_next(low) : low;
        if (!take_number(low, &cell->low) || !take_number(high, &cell->high) ||
            cell->low > cell->high) {
            complain(r, range, "accepted", "[low, high] is needed");
        }
    }
}

/* Puts a cell whose measure, variant and symbols stand into the table. */
static void add_cell(struct reader *r, struct node node, const struct published_cell *cell)
{
    struct published *p = r->published;
    struct published_cell *into = &p->cell[p->cell_count];

    if (p->cell_count == PUBLISHED_CELLS) {
        complain(r, node, "cells", "too many");
        return;
    }
    *into = *cell;
    if (!take_number(node_member(node, "published"), &into->published)) {
        into->published = from_files(p, into);
    }
    if (!isfinite(into->published)) {
        complain(r, node, into->cell, "no file tells the published value");
        return;
    }
    read_limits(r, node, into);
    p->cell_count++;
}

/* One cell for each symbol that the profile names, and the rest; `symbols` have rows of their own.
 */
static void spread(struct reader *r, struct node node, struct published_cell *cell)
{
    const struct perf_profile *profile = &r->published->variant[cell->variant].profile;
    char name[sizeof cell->cell];
    bool apart[SYMBOL_COUNT];

    memcpy(apart, cell->symbol, sizeof apart);
    memcpy(name, cell->cell, sizeof name);
    cell->measure = MEASURE_SHARE;
    for (int i = 0; i <= SYMBOL_COUNT; i++) {
        cell->rest = i == SYMBOL_COUNT;
        if (!cell->rest && (apart[i] || !profile->has[i])) {
            continue;
        }
        memset(cell->symbol, 0, sizeof cell->symbol);
        if (!cell->rest) {
            cell->symbol[i] = true;
        }
        snprintf(cell->cell, sizeof cell->cell, "%.80s %s", name,
                 cell->rest ? "what is not listed" : symbol_name((enum symbol)i));
        add_cell(r, node, cell);
    }
}

static int choice_of(struct node node, const char *const *names, int count)
{
    const char *text = node.item ? node_text(node) : NULL;

    for (int i = 0; text && i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static void read_symbols(struct reader *r, struct node symbols, struct published_cell *cell)
{
    for (struct node n = node_first(symbols); n.item; n = node_next(n)) {
        int symbol = symbol_of(n);

        if (symbol == SYMBOL_COUNT) {
            complain(r, n, "symbols", "no symbol of the model");
        } else {
            cell->symbol[symbol] = true;
        }
    }
}

static void read_cell(struct reader *r, struct node node)
{
    static const char *const roles[ROLES] = {"calibrated", "held-out", "directional"};
    struct published_cell cell = {0};
    struct node informed = node_member(node, "informed"), symbols = node_member(node, "symbols");
    int measure = choice_of(node_member(node, "measure"), measures, MEASURES);
    int role = choice_of(node_member(node, "role"), roles, ROLES);

    if (!need_text(r, node, "cell", cell.cell, sizeof cell.cell) ||
        !need_variant(r, node, &cell.variant)) {
        return;
    }
    if (measure < 0 || role < 0) {
        complain(r, node, measure < 0 ? "measure" : "role", "one of the known words is needed");
        return;
    }
    cell.measure = (enum measure)measure;
    cell.role = (enum role)role;
    cell.informed = informed.item && node_type(informed) == JSON_TRUE;
    if (node_member(node, "note").item) {
        need_text(r, node, "note", cell.note, sizeof cell.note);
    }
    if (node_member(node, "hide").item) {
        need_text(r, node, "hide", cell.hide, sizeof cell.hide);
    }
    if (symbols.item) {
        read_symbols(r, symbols, &cell);
    }
    if (cell.measure == MEASURE_PROFILE) {
        spread(r, node, &cell);
    } else {
        add_cell(r, node, &cell);
    }
}

static void read_list(struct reader *r, struct node list,
                      void (*read)(struct reader *, struct node))
{
    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        read(r, n);
    }
}

static void read_ensembles(struct reader *r, struct node list)
{
    struct published *p = r->published;
    size_t count = 0;

    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        count++;
    }
    p->ensemble = calloc(count + 1, sizeof *p->ensemble);
    if (!p->ensemble) {
        abort();
    }
    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        p->ensembles += ensemble_read(&p->ensemble[p->ensembles], n, p->file, r->problems) ? 1 : 0;
    }
}

static void read_table(struct reader *r, struct node root)
{
    struct published *p = r->published;
    char bed[PUBLISHED_NAME];

    if (!node_member(root, "table").item) {
        complain(r, root, "table",
                 node_member(root, "version").item
                     ? "missing: this is a scenario; a table of published figures has table, bed, "
                       "rates, profiles and cells, as those in scenarios/published"
                     : "missing; a table of published figures has table, bed, rates, profiles and "
                       "cells, as those in scenarios/published");
        return;
    }
    if (node_member(root, "ensembles").item) {
        need_text(r, root, "table", p->table, sizeof p->table);
        read_ensembles(r, node_member(root, "ensembles"));
        return;
    }
    if (!need_text(r, root, "table", p->table, sizeof p->table) ||
        !need_text(r, root, "bed", bed, sizeof bed) || !beside(p, bed, p->bed, sizeof p->bed)) {
        return;
    }
    read_rates(r, node_member(root, "rates"));
    read_profiles(r, node_member(root, "profiles"));
    if (r->problems->errors > 0) {
        return;
    }
    if (p->variant_count == 0 || !p->variant[0].has_rate) {
        complain(r, root, "rates", "the first variant needs a rate");
        return;
    }
    read_list(r, node_member(root, "costs"), read_cost);
    if (node_member(root, "free").item) {
        read_free(r, node_member(root, "free"));
    }
    read_list(r, node_member(root, "cells"), read_cell);
}

/* A path as it is, a name as a file of scenarios/published. */
static bool find_file(const char *name, char *file, size_t bytes, struct problems *problems)
{
    size_t length = strlen(name);
    char folder[PATH_MAX];
    struct error error = {0};

    if (strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0)) {
        return (size_t)snprintf(file, bytes, "%s", name) < bytes;
    }
    if (!data_dir_find("scenarios", NULL, folder, sizeof folder, &error)) {
        problems_add(problems, false, &error);
        return false;
    }
    return (size_t)snprintf(file, bytes, "%s/published/%s.json", folder, name) < bytes;
}

struct published *published_open(const char *name, struct problems *problems)
{
    struct published *published = calloc(1, sizeof *published);
    struct reader reader = {.published = published, .problems = problems};
    struct document doc;

    if (!published) {
        abort();
    }
    if (!find_file(name, published->file, sizeof published->file, problems)) {
        published_free(published);
        return NULL;
    }
    if (document_open(&doc, published->file, problems)) {
        read_table(&reader, document_root(&doc));
    }
    document_fini(&doc);
    if (problems->errors > 0) {
        published_free(published);
        return NULL;
    }
    return published;
}
