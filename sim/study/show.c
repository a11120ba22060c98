/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The effective configuration as JSON that is a scenario file itself: nested objects, canonical values,
 * and with origins a comment key beside each value that says where it came from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

struct shown {
    const char *path;
    const struct param *row;
    size_t index;
    const char *field;
};

struct show {
    const struct scenario *s;
    struct pile pile;
    struct shown *list;
    size_t count;
    bool origin;
    FILE *out;
};

static int compare_shown(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static void put_quoted(FILE *out, const char *text)
{
    int bytes = json_quote(text, NULL, 0) + 1;
    char *quoted = malloc((size_t)bytes);

    if (!quoted) {
        abort();
    }
    json_quote(text, quoted, (size_t)bytes);
    fputs(quoted, out);
    free(quoted);
}

static void origin_text(const struct show *show, size_t index, char *buffer, size_t bytes)
{
    const struct setting *setting = pile_find(&show->pile, index), *preset_setting;
    const struct preset *preset;
    char place[300];

    preset_setting = pile_preset_of(&show->pile, show->s, index, &preset);
    if (setting && !setting->node.doc->file) {
        snprintf(buffer, bytes, "command line");
    } else if (setting) {
        document_print_place(setting->node.doc, node_place(setting->node), place, sizeof place);
        snprintf(buffer, bytes, "%s", place);
    } else if (preset_setting) {
        const struct param *row = param_at(show->s->schema, preset->index).row;

        snprintf(buffer, bytes, "%s %s", row->path, row->choices[preset->choice].name);
    } else {
        snprintf(buffer, bytes, "default");
    }
}

/* What is known of a cost: from the file that set it, else from its row. */
static void certificate_text(const struct show *show, const struct shown *shown, char *buffer,
                             size_t bytes)
{
    const struct setting *setting = pile_find(&show->pile, shown->index);
    const struct param_certificate *c = &shown->row->certificate;

    buffer[0] = '\0';
    if (shown->row->kind != PARAM_COST) {
        return;
    }
    if (setting && setting->certificate.set) {
        const struct value_certificate *own = &setting->certificate;
        const struct param range = {.kind = PARAM_TIME};
        char low[64], high[64];

        param_print(&range, &own->low, low, sizeof low);
        param_print(&range, &own->high, high, sizeof high);
        snprintf(buffer, bytes, "%s%s%s%s%s%s%s", own->has_status ? "; " : "",
                 own->has_status ? value_status_name(own->status) : "",
                 own->has_range ? "; plausible " : "", own->has_range ? low : "",
                 own->has_range ? ".." : "", own->has_range ? high : "",
                 own->source ? "; " : "");
        snprintf(buffer + strlen(buffer), bytes - strlen(buffer), "%s",
                 own->source ? own->source : "");
    } else if (!setting) {
        snprintf(buffer, bytes, "; %s; plausible %s..%s; %s", value_status_name(c->status),
                 c->low ? c->low : "", c->high ? c->high : "", c->source ? c->source : "");
    }
}

static void indent(const struct show *show, int depth)
{
    fprintf(show->out, "%*s", 2 * depth, "");
}

static void put_value(const struct show *show, const struct shown *shown, const char *key,
                      int depth)
{
    char *text = param_text(shown->row, shown->field), origin[1100];

    if (show->origin) {
        char comment[300], certificate[700];

        origin_text(show, shown->index, origin, 400);
        certificate_text(show, shown, certificate, sizeof certificate);
        snprintf(origin + strlen(origin), sizeof origin - strlen(origin), "%s", certificate);
        snprintf(comment, sizeof comment, "_%s", key);
        indent(show, depth);
        put_quoted(show->out, comment);
        fputs(": ", show->out);
        put_quoted(show->out, origin);
        fputs(",\n", show->out);
    }
    indent(show, depth);
    put_quoted(show->out, key);
    fputs(": ", show->out);
    if (param_bare_in_json(shown->row, text)) {
        fputs(text, show->out);
    } else {
        put_quoted(show->out, text);
    }
    free(text);
}

/* The rows from `at` on that share the first `stem` bytes of their path; returns the row behind. */
static size_t put_group(const struct show *show, size_t at, size_t stem, int depth)
{
    const char *prefix = show->list[at].path;
    bool first = true;

    while (at < show->count && strncmp(show->list[at].path, prefix, stem) == 0) {
        const char *rest = show->list[at].path + stem;
        size_t length = strcspn(rest, ".");
        char key[160];

        fputs(first ? "" : ",\n", show->out);
        first = false;
        snprintf(key, sizeof key, "%.*s", (int)length, rest);
        if (rest[length] == '\0') {
            put_value(show, &show->list[at], key, depth);
            at++;
            continue;
        }
        indent(show, depth);
        put_quoted(show->out, key);
        fputs(": {\n", show->out);
        at = put_group(show, at, stem + length + 1, depth + 1);
        fputs("\n", show->out);
        indent(show, depth);
        fputs("}", show->out);
    }
    return at;
}

/* A parameter without a default that nobody set has no value to show. */
static bool has_value(const struct show *show, size_t index, const struct param *row)
{
    return row->fallback || row->required || row->kind == PARAM_ARRAY ||
           pile_find(&show->pile, index);
}

void scenario_show(const struct scenario *s, size_t point, size_t variant, bool origin, FILE *out)
{
    struct show show = {.s = s, .origin = origin, .out = out};
    struct config *config = malloc(sizeof *config);

    show.list = malloc(param_count(s->schema) * sizeof *show.list);
    if (!config || !show.list) {
        abort();
    }
    pile_init(&show.pile, s, point, variant);
    pile_build(&show.pile, s, config);
    for (size_t i = 0, n = param_count(s->schema); i < n; i++) {
        struct param_place place = param_at(s->schema, i);

        if (has_value(&show, i, place.row)) {
            show.list[show.count++] =
                (struct shown){place.row->path, place.row, i,
                               (const char *)config + place.part + place.row->offset};
        }
    }
    qsort(show.list, show.count, sizeof *show.list, compare_shown);
    fputs("{\n", out);
    put_group(&show, 0, 0, 1);
    fputs("\n}\n", out);
    free(show.list);
    free(config);
}
