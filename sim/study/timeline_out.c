/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/timeline_out.h"

#include <inttypes.h>

#include "sim/study/output_file.h"

bool timeline_out_open(struct timeline_out *out, const char *name, sim_time from, sim_time to,
                       struct error *error)
{
    *out = (struct timeline_out){
        .file = output_file_open(name, error), .name = name, .from = from, .to = to};
    if (!out->file) {
        return false;
    }
    fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
          "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": {\"name\": \"vqsim\"}}",
          out->file);
    for (int i = 0; i < OBSERVER_PARTIES; i++) {
        fprintf(out->file,
                ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_name\", \"args\": "
                "{\"name\": \"%s\"}}"
                ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_sort_index\", "
                "\"args\": {\"sort_index\": %d}}",
                i + 1, observer_party_name((enum observer_party)i), i + 1, i + 1);
    }
    return true;
}

/* Begins an entry up to its time; false: there are enough. */
static bool begin(struct timeline_out *out, const char *kind, enum observer_party party,
                  const char *name, sim_time at)
{
    if (out->entries >= TIMELINE_OUT_MOST) {
        out->left_out++;
        return false;
    }
    out->entries++;
    fprintf(out->file,
            ",\n{\"ph\": \"%s\", \"pid\": 1, \"tid\": %d, \"name\": \"%s\", \"ts\": %" PRId64
            ".%06" PRId64,
            kind, (int)party + 1, name, at / SIM_US, at % SIM_US);
    return true;
}

void timeline_out_work(struct timeline_out *out, enum observer_party party, const char *what,
                       sim_time from, sim_time to)
{
    if (to < out->from || from > out->to) {
        return;
    }
    if (from == to) {
        if (begin(out, "i", party, what, from)) {
            fputs(", \"s\": \"t\"}", out->file);
        }
    } else if (begin(out, "X", party, what, from)) {
        fprintf(out->file, ", \"dur\": %" PRId64 ".%06" PRId64 "}", (to - from) / SIM_US,
                (to - from) % SIM_US);
    }
}

void timeline_out_packet(struct timeline_out *out, enum observer_party party,
                         enum observer_point point, uint64_t packet, uint32_t size, sim_time now)
{
    static const char *const kinds[] = {
        [OBSERVER_PUBLISHED] = "s", [OBSERVER_SENT] = "t", [OBSERVER_RECLAIMED] = "f"};

    if (now < out->from || now > out->to) {
        return;
    }
    if (point == OBSERVER_PUBLISHED) {
        out->first = out->first ? out->first : packet;
        out->last = packet;
    }
    if (packet < out->first || packet > out->last || out->first == 0) {
        return;
    }
    if (begin(out, kinds[point], party, "packet", now)) {
        fprintf(out->file,
                ", \"cat\": \"packet\", \"id\": %" PRIu64 "%s, \"args\": {\"bytes\": %" PRIu32 "}}",
                packet, point == OBSERVER_RECLAIMED ? ", \"bp\": \"e\"" : "", size);
    }
}

bool timeline_out_close(struct timeline_out *out, struct error *error)
{
    FILE *file = out->file;

    fputs("\n]}\n", file);
    out->file = NULL;
    return output_file_close(file, out->name, error);
}
