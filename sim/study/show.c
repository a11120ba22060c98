/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The effective configuration as JSON that is a scenario file itself: nested objects, canonical
 * values, and with origins a comment key beside each value that says where it came from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/json_text.h"
#include "sim/study/param_tree.h"
#include "sim/study/scenario_parts.h"

struct show {
    const struct scenario *s;
    struct pile pile;
    struct config config;
    bool origin;
    FILE *out;
    int depth;
    bool fresh; /* nothing written yet in this object */
};

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
static void certificate_text(const struct show *show, size_t index, const struct param *row,
                             char *buffer, size_t bytes)
{
    const struct setting *setting = pile_find(&show->pile, index);
    const struct param_certificate *c = &row->certificate;

    buffer[0] = '\0';
    if (row->kind != PARAM_COST) {
        return;
    }
    if (setting && setting->certificate.set) {
        const struct value_certificate *own = &setting->certificate;
        const struct param time = {.kind = PARAM_TIME};
        char low[64] = "", high[64] = "";

        if (own->has_range) {
            param_print(&time, &own->low, low, sizeof low);
            param_print(&time, &own->high, high, sizeof high);
        }
        snprintf(buffer, bytes, "%s%s%s%s%s%s%s%.400s", own->has_status ? "; " : "",
                 own->has_status ? value_status_name(own->status) : "",
                 own->has_range ? "; plausible " : "", low, own->has_range ? ".." : "", high,
                 own->source ? "; " : "", own->source ? own->source : "");
    } else if (!setting) {
        snprintf(buffer, bytes, "; %s; plausible %s..%s; %s", value_status_name(c->status),
                 c->low ? c->low : "", c->high ? c->high : "", c->source ? c->source : "");
    }
}

/* A comma where one is needed, and the start of a line. */
static void next_line(struct show *show)
{
    fprintf(show->out, "%s\n%*s", show->fresh ? "" : ",", 2 * show->depth, "");
    show->fresh = false;
}

static void put_key(const struct show *show, const char *key)
{
    json_put_quoted(show->out, key);
    fputs(": ", show->out);
}

static void put_origin(struct show *show, const char *key, size_t index, const struct param *row)
{
    char comment[170], origin[1100], certificate[700];

    origin_text(show, index, origin, 400);
    certificate_text(show, index, row, certificate, sizeof certificate);
    snprintf(origin + strlen(origin), sizeof origin - strlen(origin), "%s", certificate);
    snprintf(comment, sizeof comment, "_%s", key);
    next_line(show);
    put_key(show, comment);
    json_put_quoted(show->out, origin);
}

static void on_leaf(void *context, const char *key, size_t index, struct param_place place)
{
    struct show *show = context;
    char *text =
        param_text(place.row, (const char *)&show->config + place.part + place.row->offset);

    if (show->origin) {
        put_origin(show, key, index, place.row);
    }
    next_line(show);
    put_key(show, key);
    if (param_bare_in_json(place.row, text)) {
        fputs(text, show->out);
    } else {
        json_put_quoted(show->out, text);
    }
    free(text);
}

static void on_open(void *context, const char *key)
{
    struct show *show = context;

    next_line(show);
    put_key(show, key);
    fputc('{', show->out);
    show->depth++;
    show->fresh = true;
}

static void on_close(void *context)
{
    struct show *show = context;

    show->depth--;
    fprintf(show->out, "\n%*s}", 2 * show->depth, "");
    show->fresh = false;
}

/* A parameter without a default that nobody set has no value to show. */
static bool on_wants(void *context, size_t index, const struct param *row)
{
    const struct show *show = context;

    return row->fallback || row->required || row->kind == PARAM_ARRAY ||
           pile_find(&show->pile, index);
}

void scenario_show(const struct scenario *s, size_t point, size_t variant, bool origin, FILE *out)
{
    struct show *show = calloc(1, sizeof *show);
    struct param_tree_visitor visitor = {show, on_wants, on_open, on_leaf, on_close};

    if (!show) {
        abort();
    }
    *show = (struct show){.s = s, .origin = origin, .out = out, .depth = 1, .fresh = true};
    pile_init(&show->pile, s, point, variant);
    pile_build(&show->pile, s, &show->config);
    fputc('{', out);
    param_tree_walk(s->schema, &visitor);
    fputs("\n}\n", out);
    free(show);
}
