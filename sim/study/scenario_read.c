/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files and --set into the base layer, and the sections that are no parameters: cases, variants,
 * expect. A section of a file replaces that of a file it includes; parameters are merged one by
 * one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"
#include "sim/study/scenario_parts.h"
#include "sim/study/suggest.h"

const char *const scenario_sections[] = {"include",   "cases",  "variants", "sweep",
                                         "sweep_zip", "expect", NULL};

static void add_text(struct text_list *texts, struct document *doc)
{
    struct document **docs = realloc(texts->docs, (texts->count + 1) * sizeof(struct document *));

    if (!docs) {
        abort();
    }
    texts->docs = docs;
    texts->docs[texts->count++] = doc;
}

struct document *scenario_new_text(struct scenario *s)
{
    struct document *doc = calloc(1, sizeof *doc);

    if (!doc) {
        abort();
    }
    add_text(&s->texts, doc);
    return doc;
}

ptrdiff_t scenario_option_path(const struct scenario *s, const char *option, const char *text,
                               const char **value, struct problems *problems)
{
    const char *equal = strchr(text, '=');
    char path[160], shown[256], hint[LAYER_HINT_BYTES];
    size_t matches = 0;
    ptrdiff_t index;

    if (!equal || equal == text || (size_t)(equal - text) >= sizeof path) {
        problems_error(problems, "", "%s %s: PATH=%s is needed", option,
                       json_show(text, strlen(text), JSON_SHOWN_MOST, shown, sizeof shown),
                       strcmp(option, "--set") == 0 ? "VALUE" : "RANGE");
        return -1;
    }
    snprintf(path, sizeof path, "%.*s", (int)(equal - text), text);
    json_show(path, strlen(path), JSON_SHOWN_MOST, shown, sizeof shown);
    *value = equal + 1;
    index = param_lookup(s->schema, path, false, &matches);
    if (index >= 0) {
        return index;
    }
    if (param_not_yet(s->schema, path)) {
        problems_error(problems, shown, "not modelled yet");
    } else if (matches > 1) {
        problems_error(problems, shown, "%zu parameters end in this: %s; write the whole path",
                       matches, layer_candidates(s->schema, path, hint, sizeof hint));
    } else {
        problems_error(problems, shown, "unknown parameter%s",
                       layer_hint(s->schema, path, NULL, hint));
    }
    return -1;
}

static void read_set(struct scenario *s, const struct scenario_options *options,
                     struct problems *problems)
{
    for (size_t i = 0; i < options->set_count; i++) {
        const char *value;
        ptrdiff_t index = scenario_option_path(s, "--set", options->set[i], &value, problems);
        struct document *doc;
        struct param_place place;

        if (index < 0) {
            continue;
        }
        place = param_at(s->schema, (size_t)index);
        doc = scenario_new_text(s);
        if (value_parse(place.row, value, place.row->path, doc, problems)) {
            layer_read_value(&s->base, s->schema, (size_t)index, document_root(doc), false,
                             problems);
        }
    }
}

/* The section in the last file that has it. */
static struct node find_section(const struct scenario *s, const char *name)
{
    struct node found = {0};

    for (size_t i = s->files.count; i-- > 0 && !found.item;) {
        if (s->files.docs[i]->root) {
            found = node_member(document_root(s->files.docs[i]), name);
        }
    }
    return found;
}

bool scenario_is_whole(const char *path)
{
    return strcmp(path, "version") == 0 || strcmp(path, "name") == 0 ||
           strcmp(path, "question") == 0;
}

/* What belongs to the whole scenario cannot differ between its parts. */
static void refuse_whole(const struct layer *layer, struct problems *problems)
{
    for (size_t i = 0; i < layer->count; i++) {
        const char *path = layer->list[i].place.row->path;

        if (scenario_is_whole(path)) {
            node_key_problem(layer->list[i].node, problems, false, path,
                             "belongs to the whole scenario, not to a case or variant");
        }
    }
}

static void read_overrides(struct scenario *s, const char *section, struct overrides_list *list,
                           struct problems *problems)
{
    size_t room = 0;

    list->node = find_section(s, section);
    if (!list->node.item) {
        return;
    }
    if (node_type(list->node) != JSON_OBJECT) {
        node_problem(list->node, problems, false, section,
                     "expected an object of named overrides, got %s", node_type_name(list->node));
        return;
    }
    for (struct node n = node_first(list->node); n.item; n = node_next(n)) {
        room++;
    }
    list->list = calloc(room ? room : 1, sizeof *list->list);
    if (!list->list) {
        abort();
    }
    for (struct node n = node_first(list->node); n.item; n = node_next(n)) {
        struct overrides *o = &list->list[list->count];
        const char *name = node_key(n);

        if (name[0] == '_') {
            continue;
        }
        if (name[0] == '\0' || strlen(name) > 100) {
            node_key_problem(n, problems, false, section, "a name has 1 to 100 bytes");
            continue;
        }
        if (node_type(n) != JSON_OBJECT) {
            node_problem(n, problems, false, section, "%.60s: expected an object, got %s", name,
                         node_type_name(n));
            continue;
        }
        list->count++;
        o->name = strdup(name);
        o->node = n;
        if (!o->name) {
            abort();
        }
        layer_read(&o->layer, s->schema, n, NULL, false, problems);
        refuse_whole(&o->layer, problems);
    }
}

static void read_expect(struct scenario *s, struct problems *problems)
{
    struct node section = find_section(s, "expect");
    size_t room = 0;

    if (!section.item) {
        return;
    }
    if (node_type(section) != JSON_ARRAY) {
        node_problem(section, problems, false, "expect", "expected a list of texts, got %s",
                     node_type_name(section));
        return;
    }
    for (struct node n = node_first(section); n.item; n = node_next(n)) {
        room++;
    }
    s->expect = calloc(room ? room : 1, sizeof *s->expect);
    s->expect_nodes = calloc(room ? room : 1, sizeof *s->expect_nodes);
    if (!s->expect || !s->expect_nodes) {
        abort();
    }
    for (struct node n = node_first(section); n.item; n = node_next(n)) {
        if (assertion_read(&s->expect[s->expect_count], n, problems)) {
            s->expect_nodes[s->expect_count++] = n;
        }
    }
}

/* Defaults and presets are tables of this program: a text there that is no value is a bug. */
static void read_tables(struct scenario *s)
{
    const struct param_schema *schema = s->schema;

    for (size_t i = 0, n = param_count(schema); i < n; i++) {
        struct param_place place = param_at(schema, i);
        char *part = (char *)&s->defaults + place.part;

        if (place.row->fallback) {
            bool ok = value_from_text(place.row, place.row->fallback, part);

            sim_assert(ok, 0, "default of %s: %s", place.row->path, place.row->fallback);
        }
    }
    for (size_t i = 0, n = param_count(schema); i < n; i++) {
        struct param_place place = param_at(schema, i);

        for (int c = 0; place.row->choices && place.row->choices[c].name; c++) {
            if (place.row->choices[c].preset) {
                s->presets = realloc(s->presets, (s->preset_count + 1) * sizeof *s->presets);
                if (!s->presets) {
                    abort();
                }
                s->presets[s->preset_count++] = (struct preset){.index = i, .choice = c};
            }
        }
    }
}

static void read_text(struct scenario *s, struct layer *layer, size_t index, const char *text)
{
    const struct param *row = param_at(s->schema, index).row;
    struct document *doc = scenario_new_text(s);
    struct problems problems;
    bool ok;

    problems_init(&problems);
    ok = value_parse(row, text, row->path, doc, &problems) &&
         layer_read_value(layer, s->schema, index, document_root(doc), true, &problems);
    sim_assert(ok, 0, "text of %s: %s", row->path, text);
    problems_fini(&problems);
}

static void read_preset(struct scenario *s, struct preset *preset)
{
    const struct param_setting *setting =
        param_at(s->schema, preset->index).row->choices[preset->choice].preset;

    for (; setting->path; setting++) {
        ptrdiff_t index = param_lookup(s->schema, setting->path, true, NULL);

        sim_assert(index >= 0, 0, "preset of unknown parameter %s", setting->path);
        read_text(s, &preset->layer, (size_t)index, setting->text);
    }
}

/* Rows that choose, set where the choice is not: "host.vhost" alone says which backend is meant. */
static void read_implied(struct scenario *s)
{
    for (size_t i = 0; i < s->base.count; i++) {
        const struct param *row = s->base.list[i].place.row;
        size_t length = row->chooses ? strcspn(row->when_value, "|") : 0;
        ptrdiff_t index = row->chooses ? param_lookup(s->schema, row->when_path, true, NULL) : -1;

        if (index >= 0 && !layer_find(&s->base, (size_t)index)) {
            char *value = strndup(row->when_value, length);

            if (!value) {
                abort();
            }
            read_text(s, &s->base, (size_t)index, value);
            free(value);
        }
    }
}

static void set_name(struct scenario *s)
{
    const char *file = s->files.docs[s->files.count - 1]->file;
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    size_t length = strlen(base);
    struct config config = s->defaults;

    layer_apply(&s->base, &config);
    if (config.study.name[0]) {
        s->name = strdup(config.study.name);
    } else {
        if (length > 5 && strcmp(base + length - 5, ".json") == 0) {
            length -= 5;
        }
        s->name = strndup(base, length);
    }
    if (!s->name) {
        abort();
    }
    snprintf(s->study_name, sizeof s->study_name, "%s", s->name);
}

void scenario_read(struct scenario *s, const struct scenario_options *options,
                   struct problems *problems)
{
    read_tables(s);
    for (size_t i = 0; i < s->preset_count; i++) {
        read_preset(s, &s->presets[i]);
    }
    for (size_t i = 0; i < s->files.count; i++) {
        struct document *doc = s->files.docs[i];

        if (doc->root && node_type(document_root(doc)) == JSON_OBJECT) {
            layer_read(&s->base, s->schema, document_root(doc), scenario_sections,
                       i + 1 < s->files.count, problems);
        }
    }
    read_set(s, options, problems);
    read_overrides(s, "cases", &s->cases, problems);
    read_overrides(s, "variants", &s->variants, problems);
    read_expect(s, problems);
    s->sweep = find_section(s, "sweep");
    s->sweep_zip = find_section(s, "sweep_zip");
    read_implied(s);
    set_name(s);
}
