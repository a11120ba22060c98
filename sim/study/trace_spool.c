/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/study/trace_input.h"

#define ENTRIES_AT_ONCE 8192u

/* The nameless file, written from a buffer. */
struct spool_file {
    int fd;
    struct packet_trace_entry *entry; /* [ENTRIES_AT_ONCE] */
    uint32_t entries;
    uint64_t written; /* bytes */
};

static void system_error(const char *file, const char *what, struct problems *problems)
{
    struct error e = {.kind = ERROR_SYSTEM};

    snprintf(e.source, sizeof e.source, "%s", file);
    snprintf(e.text, sizeof e.text, "%.400s: %s", what, strerror(errno));
    problems_add(problems, false, &e);
}

static bool file_open(struct spool_file *f, const char *file, struct problems *problems)
{
    const char *dir = getenv("TMPDIR");
    char name[4096];

    *f = (struct spool_file){.fd = -1, .entry = malloc(ENTRIES_AT_ONCE * sizeof *f->entry)};
    if (!f->entry) {
        abort();
    }
    snprintf(name, sizeof name, "%s/vqsim-XXXXXX", dir && dir[0] ? dir : "/tmp");
    f->fd = mkstemp(name);
    if (f->fd < 0) {
        system_error(file, name, problems);
        return false;
    }
    unlink(name);
    return true;
}

static bool file_flush(struct spool_file *f)
{
    const char *from = (const char *)f->entry;
    size_t left = f->entries * sizeof *f->entry;

    while (left > 0) {
        ssize_t put = write(f->fd, from, left);

        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return false;
        }
        from += put;
        left -= (size_t)put;
    }
    f->written += f->entries * sizeof *f->entry;
    f->entries = 0;
    return true;
}

static void file_close(struct spool_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
    }
    free(f->entry);
}

/* All packets into the file; false: reported. */
static bool write_packets(struct trace_spool *spool, struct trace_order *order, struct trace_sg *sg,
                          struct spool_file *f, struct trace_reader *reader)
{
    struct trace_sg other = trace_sg_other(sg);
    struct trace_packet packet;
    sim_time base = 0;
    uint32_t frags;
    int got;

    while ((got = trace_order_next(order, &packet)) == 1) {
        struct packet_trace_entry *entry = &f->entry[f->entries++];

        if (spool->packets.count++ == 0) {
            base = packet.at;
        }
        entry->at = packet.at - base;
        entry->size = packet.size;
        frags = trace_sg_frags(sg, &packet);
        spool->sg_differs += trace_sg_frags(&other, &packet) != frags;
        entry->frags = (uint16_t)(frags < UINT16_MAX ? frags : UINT16_MAX); /* refused: no skb */
        entry->more = packet.kick_test == 0;
        spool->bytes += packet.size;
        if (f->entries == ENTRIES_AT_ONCE && !file_flush(f)) {
            break;
        }
    }
    if (got == 1 || (got == 0 && !file_flush(f))) {
        system_error(trace_input_file(reader->input), "its copy for the runs", reader->problems);
        return false;
    }
    if (got == 0 && spool->packets.count == 0) {
        trace_input_error(reader->input, 0, 0, "no packet to replay");
        return false;
    }
    return got == 0;
}

static bool map(struct trace_spool *spool, const struct spool_file *f, struct trace_reader *reader)
{
    void *at = mmap(NULL, f->written, PROT_READ, MAP_SHARED, f->fd, 0);

    if (at == MAP_FAILED) {
        system_error(trace_input_file(reader->input), "its copy for the runs", reader->problems);
        return false;
    }
    spool->map = at;
    spool->map_bytes = f->written;
    spool->packets.entry = at;
    return true;
}

bool trace_spool(struct trace_spool *spool, const char *file, const struct trace_options *options,
                 const struct trace_shape *shape, struct problems *problems)
{
    struct trace_options with_hash = *options;
    struct spool_file f = {.fd = -1};
    struct sha256 sha;
    struct trace_reader *reader;
    struct trace_order *order;
    struct trace_sg sg;
    bool ok;

    memset(spool, 0, sizeof *spool);
    sha256_init(&sha);
    with_hash.hash = &sha;
    reader = trace_open(file, &with_hash, problems);
    if (!reader) {
        return false;
    }
    order = trace_order_new(reader, &with_hash);
    trace_sg_init(&sg, shape);
    ok = file_open(&f, file, problems) && write_packets(spool, order, &sg, &f, reader) &&
         trace_input_drain(reader->input) && map(spool, &f, reader);
    sha256_end(&sha, spool->sha256);
    spool->facts = reader->facts;
    spool->order = *trace_order_facts(order);
    spool->sg_from_trace = trace_sg_from_trace(&sg);
    spool->sg_modelled = sg.modelled;
    trace_sg_text(&sg, spool->sg_text);
    file_close(&f);
    trace_order_free(order);
    trace_close(reader);
    return ok;
}

void trace_spool_fini(struct trace_spool *spool)
{
    if (spool->map) {
        munmap(spool->map, spool->map_bytes);
    }
    memset(spool, 0, sizeof *spool);
}
