/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_set.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char *key;
    bool ok;
    char note[700];
    struct trace_spool spool;
};

/* Where a name leads. */
struct place {
    char *named, *whole;
    struct place *next;
};

struct trace_set {
    struct entry *list[TRACE_SET_MOST];
    size_t count;
    struct place *places;
};

struct trace_set *trace_set_new(void)
{
    struct trace_set *set = calloc(1, sizeof *set);

    if (!set) {
        abort();
    }
    return set;
}

void trace_set_free(struct trace_set *set)
{
    for (size_t i = 0; set && i < set->count; i++) {
        trace_spool_fini(&set->list[i]->spool);
        free(set->list[i]->key);
        free(set->list[i]);
    }
    while (set && set->places) {
        struct place *place = set->places;

        set->places = place->next;
        free(place->named);
        free(place->whole);
        free(place);
    }
    free(set);
}

/* The name of a file as the file that names it means it. */
static void join(const char *file, const char *from, char joined[2 * PATH_MAX])
{
    const char *slash = from && file[0] != '/' ? strrchr(from, '/') : NULL;

    snprintf(joined, 2 * PATH_MAX, "%.*s%s", slash ? (int)(slash - from) + 1 : 0, from ? from : "",
             file);
}

static const char *find_place(const struct trace_set *set, const char *named)
{
    for (const struct place *place = set ? set->places : NULL; place; place = place->next) {
        if (strcmp(place->named, named) == 0) {
            return place->whole;
        }
    }
    return NULL;
}

void trace_set_place(struct trace_set *set, const struct config *config, const char *file,
                     const char *from)
{
    char joined[2 * PATH_MAX];
    struct place *place;

    join(file, from, joined);
    if (find_place(set, joined)) {
        return;
    }
    place = calloc(1, sizeof *place);
    if (!place || !(place->named = strdup(joined)) ||
        !(place->whole = strdup(config->trace.file))) {
        abort();
    }
    place->next = set->places;
    set->places = place;
}

void trace_set_locate(const struct trace_set *set, struct config *config, const char *from)
{
    char *file = config->trace.file, joined[2 * PATH_MAX], real[PATH_MAX];
    const char *whole;

    if (!workload_replays(&config->datapath.workload) || !file[0]) {
        return;
    }
    join(file, from, joined);
    whole = find_place(set, joined);
    if (!whole) {
        whole = realpath(joined, real) ? real : joined;
    }
    if (strlen(whole) < sizeof config->trace.file) {
        memcpy(file, whole, strlen(whole) + 1);
    } else {
        snprintf(file, sizeof config->trace.file, "%.240s...", whole); /* refused as not there */
    }
}

/* The format and every row of the file but the content's sum. */
static char *key_of(const struct config *config)
{
    char *key = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&key, &bytes);

    if (!out) {
        abort();
    }
    fprintf(out, "%d\n", config->datapath.workload.type);
    for (size_t i = 0; i < trace_params.count; i++) {
        const struct param *row = &trace_params.rows[i];
        char *value;

        if (row->offset != offsetof(struct trace_config, sha256)) {
            value = param_text(row, (const char *)&config->trace + row->offset);
            fprintf(out, "%s\n", value);
            free(value);
        }
    }
    fclose(out);
    return key;
}

static struct entry *find(const struct trace_set *set, const char *key)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->list[i]->key, key) == 0) {
            return set->list[i];
        }
    }
    return NULL;
}

static struct entry *find_config(const struct trace_set *set, const struct config *config)
{
    char *key;
    struct entry *entry;

    if (!workload_replays(&config->datapath.workload)) {
        return NULL;
    }
    key = key_of(config);
    entry = find(set, key);
    free(key);
    return entry;
}

void trace_set_apply(const struct trace_set *set, struct config *config)
{
    const struct entry *entry = find_config(set, config);

    if (entry && entry->ok) {
        config->datapath.workload.trace = &entry->spool.packets;
        snprintf(config->trace.sha256, sizeof config->trace.sha256, "%s", entry->spool.sha256);
    }
}

const struct trace_spool *trace_set_spool(const struct trace_set *set, const struct config *config)
{
    const struct entry *entry = find_config(set, config);

    return entry && entry->ok ? &entry->spool : NULL;
}

static void make_note(struct entry *entry, const struct trace_config *config)
{
    const struct packet_trace *trace = &entry->spool.packets;
    const char *slash = strrchr(config->file, '/');
    char other[100] = "";

    if (entry->spool.sg_differs > 0) {
        snprintf(other, sizeof other, "; workload.sg_model %s gives %" PRIu64 " of them others",
                 config->sg_model == TRACE_SG_WRITE ? "sendfile" : "write",
                 entry->spool.sg_differs);
    }
    snprintf(entry->note, sizeof entry->note,
             "%.200s: %s, %" PRIu64 " packets in %.6g s; entries: %.300s%s",
             slash ? slash + 1 : config->file, entry->spool.facts.format, trace->count,
             sim_time_s(trace->entry[trace->count - 1].at), entry->spool.sg_text, other);
}

bool trace_set_add(struct trace_set *set, const struct config *config, bool *fresh,
                   struct problems *problems)
{
    struct entry *entry = find_config(set, config);
    struct trace_options options;
    struct trace_shape shape;

    *fresh = !entry;
    if (entry) {
        return entry->ok;
    }
    if (set->count == TRACE_SET_MOST) {
        problems_error(problems, "workload.file", "more than %d captures", TRACE_SET_MOST);
        return false;
    }
    entry = calloc(1, sizeof *entry);
    if (!entry) {
        abort();
    }
    set->list[set->count++] = entry;
    entry->key = key_of(config);
    trace_config_options(&config->trace, config->datapath.workload.type, &options, &shape);
    entry->ok = trace_spool(&entry->spool, config->trace.file, &options, &shape, problems);
    if (entry->ok) {
        packet_trace_summarise(&entry->spool.packets);
        make_note(entry, &config->trace);
    }
    return entry->ok;
}

size_t trace_set_count(const struct trace_set *set)
{
    return set->count;
}

const char *trace_set_note(const struct trace_set *set, size_t index)
{
    return set->list[index]->note;
}
