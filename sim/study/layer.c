/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/suggest.h"

/* Longer paths belong to no parameter. */
#define PATH_BYTES 160

void layer_fini(struct layer *layer)
{
    for (size_t i = 0; i < layer->count; i++) {
        free(layer->list[i].packed);
    }
    free(layer->list);
    memset(layer, 0, sizeof *layer);
}

const struct setting *layer_find(const struct layer *layer, size_t index)
{
    for (size_t i = 0; i < layer->count; i++) {
        if (layer->list[i].index == index) {
            return &layer->list[i];
        }
    }
    return NULL;
}

/* The layer's slot of a row, a new one where there was none. */
static struct setting *slot(struct layer *layer, size_t index)
{
    for (size_t i = 0; i < layer->count; i++) {
        if (layer->list[i].index == index) {
            return &layer->list[i];
        }
    }
    if (layer->count == layer->room) {
        size_t room = layer->room ? 2 * layer->room : 16;
        struct setting *list = realloc(layer->list, room * sizeof *list);

        if (!list) {
            abort();
        }
        layer->list = list;
        layer->room = room;
    }
    memset(&layer->list[layer->count], 0, sizeof layer->list[0]);
    return &layer->list[layer->count++];
}

bool layer_read_value(struct layer *layer, const struct param_schema *schema, size_t index,
                      struct node node, bool shared, struct problems *problems)
{
    struct param_place place = param_at(schema, index);
    struct value_certificate certificate = {0};
    void *part = calloc(1, place.table->config_bytes);
    struct setting *setting;

    if (!part) {
        abort();
    }
    if (!value_read(place.row, node, place.row->path, part, &certificate, problems)) {
        free(part);
        return false;
    }
    setting = slot(layer, index);
    if (!certificate.set && setting->certificate.has_range) {
        /* A bare value after one with a range is held against that range. */
        certificate.has_range = true;
        certificate.low = setting->certificate.low;
        certificate.high = setting->certificate.high;
    }
    free(setting->packed);
    *setting = (struct setting){.index = index,
                                .place = place,
                                .node = node,
                                .shared = shared,
                                .packed = malloc(param_packed_bytes(place.row, part)),
                                .certificate = certificate};
    if (!setting->packed) {
        abort();
    }
    param_pack(place.row, part, setting->packed);
    free(part);
    return true;
}

void setting_apply(const struct setting *setting, void *config)
{
    param_unpack(setting->place.row, setting->packed, (char *)config + setting->place.part);
}

void layer_apply(const struct layer *layer, void *config)
{
    for (size_t i = 0; i < layer->count; i++) {
        setting_apply(&layer->list[i], config);
    }
}

char *setting_text(const struct setting *setting)
{
    const struct param *row = setting->place.row;
    char *part = calloc(1, setting->place.table->config_bytes), *text;

    if (!part) {
        abort();
    }
    param_unpack(row, setting->packed, part);
    text = param_text(row, part + row->offset);
    free(part);
    return text;
}

/* Whether some parameter, modelled or not yet, lies below this path. */
static bool is_group(const struct param_schema *schema, const char *path)
{
    size_t length = strlen(path);

    for (size_t i = 0, n = param_part_count(schema); i < n; i++) {
        const struct param_table *table = param_part_at(schema, i).table;

        for (size_t r = 0; r < table->count; r++) {
            const char *p = table->rows[r].path;

            if (strncmp(p, path, length) == 0 && p[length] == '.') {
                return true;
            }
        }
    }
    for (const char *const *p = schema->not_yet; p && *p; p++) {
        if (strncmp(*p, path, length) == 0 && (*p)[length] == '.') {
            return true;
        }
    }
    return false;
}

/* Offers the names that may follow the first `stem` bytes of the path. */
static void offer_level(struct suggest *suggest, const struct param_schema *schema,
                        const char *path, size_t stem)
{
    for (size_t i = 0, n = param_count(schema); i < n; i++) {
        const struct param *row = param_at(schema, i).row;
        char name[SUGGEST_LENGTH_MOST + 1];
        size_t length;

        if (strncmp(row->path, path, stem) != 0) {
            continue;
        }
        length = strcspn(row->path + stem, ".");
        if (length <= SUGGEST_LENGTH_MOST) {
            snprintf(name, sizeof name, "%.*s", (int)length, row->path + stem);
            suggest_offer(suggest, name);
        }
        if (row->alias && row->path[stem + length] == '\0') {
            suggest_offer(suggest, row->alias);
        }
    }
}

/* Paths for a message, "A", "A or B", "A, B or C", at most HINTS_MOST. */
#define HINTS_MOST 4

struct hints {
    const char *path[HINTS_MOST];
    size_t count;
};

static void add_hint(struct hints *hints, const char *path)
{
    if (hints->count < HINTS_MOST) {
        hints->path[hints->count++] = path;
    }
}

/* Whether a word of a name, as _ and the end of the part divide it, is this one. */
static bool has_word(const char *name, size_t bytes, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = 0; i + length <= bytes; i++) {
        if (strncmp(name + i, word, length) == 0 && (i == 0 || name[i - 1] == '_') &&
            (i + length == bytes || name[i + length] == '_')) {
            return true;
        }
    }
    return false;
}

/* Whether some group of a path has the word; *stem is then the length up to that group's end. */
static bool group_has_word(const char *path, const char *word, size_t *stem)
{
    const char *part = path;

    for (const char *dot; (dot = strchr(part, '.')) != NULL; part = dot + 1) {
        if (has_word(part, (size_t)(dot - part), word)) {
            *stem = (size_t)(dot - path);
            return true;
        }
    }
    return false;
}

/* Parameters whose own name has the word, and the first one of groups that have it; costs, of which
 * there are many, come last. */
static void find_words(struct hints *hints, const struct param_schema *schema, const char *word)
{
    for (int costs = 0; costs < 2 && strlen(word) >= 3; costs++) {
        const char *group = "";
        size_t stem = 0, last_stem = 0;

        for (size_t i = 0, n = param_count(schema); i < n; i++) {
            const struct param *row = param_at(schema, i).row;
            const char *dot = strrchr(row->path, '.'), *tail = dot ? dot + 1 : row->path;

            if ((strncmp(row->path, "costs.", 6) == 0) != costs) {
                continue;
            }
            if (has_word(tail, strlen(tail), word) ||
                (row->alias && has_word(row->alias, strlen(row->alias), word))) {
                add_hint(hints, row->path);
            } else if (group_has_word(row->path, word, &stem)) {
                if (stem != last_stem || strncmp(group, row->path, stem) != 0) {
                    add_hint(hints, row->path);
                }
                group = row->path;
                last_stem = stem;
            }
        }
    }
}

/* The one parameter beside `path` whose own name is that of the path and further words: nearer than
 * any name that lacks a word of it. */
static const struct param *longer_name(const struct param_schema *schema, const char *path,
                                       size_t stem)
{
    const struct param *found = NULL;

    for (size_t i = 0, n = param_count(schema); i < n && strlen(path + stem) >= 3; i++) {
        const struct param *row = param_at(schema, i).row;
        const char *name = row->path + stem;

        if (strncmp(row->path, path, stem) != 0 || strchr(name, '.') ||
            !has_word(name, strlen(name), path + stem)) {
            continue;
        }
        if (found) {
            return NULL;
        }
        found = row;
    }
    return found;
}

static char *hints_text(const struct hints *hints, char *buffer)
{
    size_t used = (size_t)snprintf(buffer, LAYER_HINT_BYTES, "; did you mean ");

    for (size_t i = 0; i < hints->count && used < LAYER_HINT_BYTES; i++) {
        used += (size_t)snprintf(buffer + used, LAYER_HINT_BYTES - used, "%s%s",
                                 i == 0                  ? ""
                                 : i + 1 == hints->count ? " or "
                                                         : ", ",
                                 hints->path[i]);
    }
    if (used < LAYER_HINT_BYTES) {
        snprintf(buffer + used, LAYER_HINT_BYTES - used, "?");
    }
    return buffer;
}

char *layer_candidates(const struct param_schema *schema, const char *last, char *buffer,
                       size_t bytes)
{
    size_t used = 0, length = strlen(last), found = 0;

    buffer[0] = '\0';
    for (size_t i = 0, n = param_count(schema); i < n && used < bytes; i++) {
        const struct param *row = param_at(schema, i).row;
        size_t end = strlen(row->path);

        if ((row->alias && strcmp(row->alias, last) == 0) ||
            (end > length && row->path[end - length - 1] == '.' &&
             strcmp(row->path + end - length, last) == 0)) {
            if (++found <= HINTS_MOST) {
                used += (size_t)snprintf(buffer + used, bytes - used, "%s%s", used ? ", " : "",
                                         row->path);
            }
        }
    }
    if (found > HINTS_MOST && used < bytes) {
        snprintf(buffer + used, bytes - used, ", ...");
    }
    return buffer;
}

char *layer_group_hint(const struct param_schema *schema, const char *path, char *buffer)
{
    size_t length = strlen(path);
    struct hints members = {0};

    buffer[0] = '\0';
    for (size_t i = 0, n = param_count(schema); i < n; i++) {
        const char *p = param_at(schema, i).row->path;

        if (strncmp(p, path, length) != 0 || p[length] != '.') {
            continue;
        }
        if (strcmp(p + length, ".type") == 0) {
            members = (struct hints){{p}, 1};
            break;
        }
        add_hint(&members, p);
    }
    return members.count > 0 ? hints_text(&members, buffer) : buffer;
}

char *layer_hint(const struct param_schema *schema, const char *path, const char *const *others,
                 char *buffer)
{
    const char *dot = strrchr(path, '.'), *last = dot ? dot + 1 : path;
    size_t stem = (size_t)(last - path);
    struct suggest suggest;
    const struct param *home = longer_name(schema, path, stem);
    struct hints words = {0};
    char beginning[SUGGEST_TEXT_BYTES];

    if (is_group(schema, path)) {
        return layer_group_hint(schema, path, buffer);
    }
    if (home) {
        snprintf(buffer, LAYER_HINT_BYTES, "; did you mean %s?", home->path);
        return buffer;
    }
    buffer[0] = '\0';
    suggest_init(&suggest, last);
    offer_level(&suggest, schema, path, stem);
    for (; others && *others && stem == 0; others++) {
        suggest_offer(&suggest, *others);
    }
    suggest_text(&suggest, beginning);
    if (suggest.best[0] && suggest.best_distance <= suggest.limit) {
        return strcpy(buffer, beginning);
    }
    for (size_t i = 0, n = param_count(schema); i < n; i++) {
        const struct param *row = param_at(schema, i).row;
        const char *tail = strrchr(row->path, '.');

        if (tail &&
            (strcmp(tail + 1, last) == 0 || (row->alias && strcmp(row->alias, last) == 0))) {
            home = row;
        }
        suggest_offer(&suggest, tail ? tail + 1 : row->path);
    }
    if (home) {
        snprintf(buffer, SUGGEST_TEXT_BYTES, "%s; it belongs in %.*s", stem ? "" : " at top level",
                 (int)(strrchr(home->path, '.') - home->path), home->path);
        return buffer;
    }
    find_words(&words, schema, last);
    if (words.count > 0) {
        return hints_text(&words, buffer);
    }
    if (beginning[0]) {
        return strcpy(buffer, beginning);
    }
    for (size_t i = 0, n = param_count(schema); suggest.best[0] && i < n; i++) {
        const char *p = param_at(schema, i).row->path, *tail = strrchr(p, '.');

        if (strcmp(tail ? tail + 1 : p, suggest.best) == 0) {
            snprintf(buffer, SUGGEST_TEXT_BYTES, "; did you mean %s?", p);
            break;
        }
    }
    return buffer;
}

static void refuse_key(const struct param_schema *schema, struct node n, const char *path,
                       const char *const *others, struct problems *problems)
{
    char hint[LAYER_HINT_BYTES] = "";

    if (problems->count < PROBLEMS_MOST) {
        layer_hint(schema, path, others, hint);
    }
    node_key_problem(n, problems, false, path, "unknown key%s", hint);
}

static void read_member(struct layer *layer, const struct param_schema *schema, struct node n,
                        const char *path, bool shared, struct problems *problems)
{
    ptrdiff_t index = param_lookup(schema, path, true, NULL);
    const struct setting *before = index >= 0 ? layer_find(layer, (size_t)index) : NULL;

    if (before && before->node.doc == n.doc) {
        struct json_place place = node_key_place(before->node);

        node_key_problem(n, problems, false, before->place.row->path,
                         "set twice under different spellings; the first is at %u:%u", place.line,
                         place.column);
        return;
    }
    layer_read_value(layer, schema, (size_t)index, n, shared, problems);
}

/* "prefix.key"; false: longer than any parameter. */
static bool join(const char *prefix, const char *key, char *path, size_t bytes)
{
    int length = snprintf(path, bytes, "%s%s%s", prefix, prefix[0] ? "." : "", key);

    return length >= 0 && (size_t)length < bytes;
}

static void read_object(struct layer *layer, const struct param_schema *schema, struct node object,
                        const char *prefix, const char *const *others, bool shared,
                        struct problems *problems)
{
    for (struct node n = node_first(object); n.item; n = node_next(n)) {
        char path[PATH_BYTES], shown[PATH_BYTES];
        const char *key = node_key(n);
        bool other = false;

        for (size_t i = 0; others && others[i]; i++) {
            other = other || strcmp(others[i], key) == 0;
        }
        if (key[0] == '_' || other) {
            continue;
        }
        if (key[0] == '\0' || !join(prefix, key, path, sizeof path)) {
            join(prefix, node_show_key(n, shown, sizeof shown), path, sizeof path);
            node_key_problem(n, problems, false, path, "unknown key");
            continue;
        }
        if (param_lookup(schema, path, true, NULL) >= 0) {
            read_member(layer, schema, n, path, shared, problems);
        } else if (param_not_yet(schema, path)) {
            node_key_problem(n, problems, false, path, "not modelled yet");
        } else if (!is_group(schema, path)) {
            refuse_key(schema, n, path, others, problems);
        } else if (node_type(n) != JSON_OBJECT) {
            char hint[LAYER_HINT_BYTES];

            node_problem(n, problems, false, path, "expected an object, got %s%s",
                         node_type_name(n), layer_group_hint(schema, path, hint));
        } else {
            read_object(layer, schema, n, path, NULL, shared, problems);
        }
    }
}

void layer_read(struct layer *layer, const struct param_schema *schema, struct node object,
                const char *const *others, bool shared, struct problems *problems)
{
    read_object(layer, schema, object, "", others, shared, problems);
}
