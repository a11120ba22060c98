/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/perf_profile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/data_dir.h"
#include "sim/study/document.h"
#include "sim/study/text_file.h"

#define LISTED_MOST 100.05 /* shares are rounded */

static bool refuse(struct error *error, const char *file, uint32_t line, const char *text)
{
    if (error->kind == ERROR_NONE) {
        snprintf(error->source, sizeof error->source, "%s", file);
        error->line = line;
        error->column = 1;
    }
    return error_set(error, ERROR_INPUT, "", "%s", text);
}

static struct perf_entry *find(const struct perf_profile *profile, const char *symbol)
{
    for (size_t i = 0; i < profile->count; i++) {
        if (strcmp(profile->list[i].symbol, symbol) == 0) {
            return &profile->list[i];
        }
    }
    return NULL;
}

static void add(struct perf_profile *profile, const char *symbol, size_t length, double percent)
{
    char name[PERF_SYMBOL_BYTES];
    struct perf_entry *entry;

    snprintf(name, sizeof name, "%.*s", (int)length, symbol);
    entry = find(profile, name);
    if (!entry) {
        if (profile->count == profile->room) {
            profile->room = profile->room ? 2 * profile->room : 32;
            profile->list = realloc(profile->list, profile->room * sizeof *profile->list);
            if (!profile->list) {
                abort();
            }
        }
        entry = &profile->list[profile->count++];
        memcpy(entry->symbol, name, sizeof name);
        entry->percent = 0;
    }
    entry->percent += percent;
    profile->listed += percent;
}

/* "12.5%" at the text; false: there is none. */
static bool take_percent(const char **text, double *percent)
{
    const char *from = *text + strspn(*text, " \t");
    size_t length = strspn(from, "0123456789.");

    if (length == 0 || length > 12 || from[length] != '%') {
        return false;
    }
    *percent = strtod(from, NULL);
    *text = from + length + 1;
    return true;
}

/* One line without its end. NULL, or what is wrong with it. */
static const char *take_line(struct perf_profile *profile, const char *line, const char *end)
{
    const char *at = line, *symbol = NULL;
    double percent;

    if (!take_percent(&at, &percent)) {
        return "no line of a profile: SHARE% ... [k] SYMBOL is needed";
    }
    take_percent(&at, &percent); /* with --children: the symbol's own share */
    for (const char *p = at; p + 4 < end; p++) {
        if (memcmp(p, "[k] ", 4) == 0 || memcmp(p, "[.] ", 4) == 0) {
            symbol = p + 4;
        }
    }
    if (!symbol || percent > 100) {
        return symbol ? "a share above 100 %" : "no symbol: '[k] SYMBOL' is needed";
    }
    symbol += strspn(symbol, " \t");
    while (end > symbol && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) {
        end--;
    }
    if (end <= symbol || (size_t)(end - symbol) >= PERF_SYMBOL_BYTES) {
        return "a symbol of 1 to 79 bytes is needed";
    }
    add(profile, symbol, (size_t)(end - symbol), percent);
    return NULL;
}

bool perf_profile_read(struct perf_profile *profile, const char *file, struct error *error)
{
    char *text = text_file_read(file, error);
    uint32_t number = 0;

    memset(profile, 0, sizeof *profile);
    if (!text) {
        return false;
    }
    for (const char *line = text; *line; number++) {
        const char *end = line + strcspn(line, "\n");
        size_t blank = strspn(line, " \t\r");
        const char *wrong = NULL;

        if (line + blank < end && line[blank] != '#') {
            wrong = take_line(profile, line, end);
        }
        if (wrong) {
            free(text);
            return refuse(error, file, number + 1, wrong);
        }
        line = *end ? end + 1 : end;
    }
    free(text);
    if (profile->count == 0 || profile->listed > LISTED_MOST) {
        return refuse(error, file, 0,
                      profile->count == 0 ? "no symbol is listed"
                                          : "shares sum to more than 100 %");
    }
    profile->least = profile->list[0].percent;
    for (size_t i = 1; i < profile->count; i++) {
        double percent = profile->list[i].percent;

        profile->least = percent < profile->least ? percent : profile->least;
    }
    return true;
}

void perf_profile_fini(struct perf_profile *profile)
{
    free(profile->list);
    memset(profile, 0, sizeof *profile);
}

double perf_profile_percent(const struct perf_profile *profile, const char *symbol)
{
    const struct perf_entry *entry = find(profile, symbol);

    return entry ? entry->percent : 0;
}

/* The model's symbol of that name; SYMBOL_COUNT: none. */
static int model_symbol(const char *name)
{
    int symbol = 0;

    while (symbol < SYMBOL_COUNT && strcmp(symbol_name((enum symbol)symbol), name) != 0) {
        symbol++;
    }
    return symbol;
}

/* The name a perf symbol goes by in the model; "" the rest. */
static const char *mapped(struct node map, const char *name)
{
    struct node node = node_member(map, name);

    return node.item ? node_text(node) : name;
}

/* Each member of the map names a symbol of the model, or none. */
static bool check_map(struct node map, const char *file, struct problems *problems)
{
    if (!map.item || node_type(map) != JSON_OBJECT) {
        problems_error(problems, "symbols", "%s: an object of names is needed", file);
        return false;
    }
    for (struct node n = node_first(map); n.item; n = node_next(n)) {
        const char *name = node_text(n);

        if (!name || (name[0] && model_symbol(name) == SYMBOL_COUNT)) {
            node_problem(n, problems, false, node_key(n), "no symbol of the model");
        }
    }
    return problems->errors == 0;
}

static void match(struct perf_profile *profile, struct node map)
{
    memset(profile->has, 0, sizeof profile->has);
    memset(profile->percent, 0, sizeof profile->percent);
    profile->rest = 100;
    for (size_t i = 0; i < profile->count; i++) {
        int symbol = model_symbol(mapped(map, profile->list[i].symbol));

        if (symbol < SYMBOL_COUNT) {
            profile->has[symbol] = true;
            profile->percent[symbol] += profile->list[i].percent;
            profile->rest -= profile->list[i].percent;
        }
    }
}

bool perf_profile_match(struct perf_profile *profile, struct error *error)
{
    char folder[PATH_MAX], file[PATH_MAX + 32];
    struct document doc;
    struct problems problems;
    bool ok;

    if (!data_dir_find("scenarios", NULL, folder, sizeof folder, error)) {
        return false;
    }
    snprintf(file, sizeof file, "%s/published/symbols.json", folder);
    problems_init(&problems);
    ok = document_open(&doc, file, &problems);
    if (ok) {
        struct node map = node_member(document_root(&doc), "symbols");

        ok = check_map(map, file, &problems);
        if (ok) {
            match(profile, map);
        }
    }
    document_fini(&doc);
    if (!ok && error->kind == ERROR_NONE) {
        *error = problems.list[0].error;
    }
    problems_fini(&problems);
    return ok;
}
