/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A parameter is a row in a table that stands beside the part that reads it. From the rows come
 * parsing, ranges, --set, sweep axes, presets, the JSON Schema, `vqsim params`, the reference page
 * and the effective configuration. Nothing about a parameter is written twice.
 *
 * A part brings a plain struct (its configuration), an array of rows that point into it, and
 * optionally check(): the rules across parameters. A schema puts the parts together into the whole
 * configuration: one plain struct that can be copied with =.
 *
 *   static const struct param rows[] = {
 *       {.path = "guest.tx_ring.size", .kind = PARAM_COUNT,
 *        .offset = offsetof(struct ring_config, size), .least = 2, .most = 32768,
 *        .fallback = "256", .help = "descriptors of the transmit virtqueue"},
 *   };
 *   const struct param_table ring_params =
 *       PARAM_TABLE("ring", struct ring_config, rows, ring_check);
 *
 * Text forms, units and limits are those of sim/engine/unit.h.
 */
#ifndef SIM_ENGINE_PARAM_H
#define SIM_ENGINE_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/dist.h"
#include "sim/engine/error.h"
#include "sim/engine/time.h"

enum param_kind {
    PARAM_BOOL,   /* bool */
    PARAM_COUNT,  /* uint32_t, a bare whole number */
    PARAM_U64,    /* uint64_t, a bare whole number, exact up to 2^64-1 */
    PARAM_BYTES,  /* uint64_t, bare bytes or with a unit ("64KiB") */
    PARAM_RATIO,  /* double, a bare number */
    PARAM_TIME,   /* sim_time, with a unit ("200ms") */
    PARAM_COST,   /* sim_time >= 0 with a birth certificate: a PARAM_TIME that a cost table sets */
    PARAM_PPS,    /* double, packets per second ("100kpps") */
    PARAM_BPS,    /* double, bits per second ("10Gbit/s") */
    PARAM_CHOICE, /* int (an enum): index into choices */
    PARAM_TEXT,   /* char[PARAM_TEXT_BYTES] */
    PARAM_DIST,   /* struct dist */
    PARAM_ARRAY,  /* uint32_t count at offset; elements at items_offset */
};

#define PARAM_TEXT_BYTES 256

/* A value that a choice presets: the default of another parameter while this choice is set and that
 * parameter is not. */
struct param_setting {
    const char *path, *text; /* text as after --set */
};

struct param_choice {
    const char *name;
    const char *help;
    const struct param_setting *preset; /* ends with a NULL path; NULL: none */
};

enum param_status { PARAM_GUESS, PARAM_MEASURED, PARAM_CALIBRATED };

/* The birth certificate of a value: where its default comes from. Every PARAM_COST row has one, and
 * rows of the regime that a device is in, which no figure settles. */
struct param_certificate {
    const char *low, *high; /* plausible range, same unit */
    enum param_status status;
    const char *source;
};

struct param {
    const char *path; /* whole dotted path; for a row of an array's element: the key alone */
    enum param_kind kind;
    size_t offset;
    double least, most; /* base units (ps for times), inclusive; most 0: what the type holds */
    bool above_zero; /* least is exclusive: > 0 */
    bool below_most; /* most is exclusive */
    bool power_of_two;
    bool clamps;   /* a value above most is clamped with a warning, as the driver does (u32) */
    bool required; /* no default: the scenario must set it */
    const char *fallback; /* the default, as text after --set; NULL with required or PARAM_ARRAY
                             (empty), else: no value unless set, the field stays zero */
    const char *unit;     /* of a bare number, for help: "packets", "bytes", ... ; NULL: none */
    const char *alias;    /* the kernel's own name for it, accepted as a last path part; NULL */
    const char *help;     /* one line, no full stop */

    const struct param_choice *choices; /* ends with a NULL name */
    bool mixing_warns; /* a parameter set against the chosen preset warns (kernel rows) */
    struct param_certificate certificate;

    /* "has no effect" unless the parameter at when_path has one of these values ("a|b"); NULL:
     * always */
    const char *when_path, *when_value;
    bool chooses; /* a scenario that sets it and not the row at when_path sets that one with it, to
                     the first of when_value */
    bool zero_one; /* PARAM_BOOL: 0 and 1 are accepted too, as a module parameter takes them */

    /* PARAM_ARRAY: rows of an element (offsets from the element's start) */
    const struct param *item;
    size_t item_count, items_offset, item_bytes;
    uint32_t items_most;
};

struct param_table {
    const char *part; /* for the reference page: "virtqueue" */
    size_t config_bytes;
    const struct param *rows;
    size_t count;
    /* Rules across parameters of this part, on a complete configuration; adds errors and warnings
     * by full path. NULL: none. */
    void (*check)(const void *config, struct problems *problems);
};

#define PARAM_TABLE(name, type, array, function)                                                   \
    {                                                                                              \
        .part = (name), .config_bytes = sizeof(type), .rows = (array),                             \
        .count = sizeof(array) / sizeof((array)[0]), .check = (function)                           \
    }

struct param_part {
    const struct param_table *table;
    size_t offset; /* of the part's configuration in the whole */
};

/* The whole configuration: parts, and further parts that another file put together (their offsets
 * count from `further_offset`). */
struct param_schema {
    size_t config_bytes;
    const struct param_part *parts;
    size_t count;
    const struct param_part *further; /* NULL: none */
    const size_t *further_count;
    size_t further_offset;
    /* Rules across parts; NULL: none. */
    void (*check)(const void *config, struct problems *problems);
    /* Keys of parts that are planned and not there yet: a path that equals one or lies below it is
     * refused as "not modelled yet". Ends with NULL. */
    const char *const *not_yet;
};

/* The row at a whole path, and where its field lies in `config`; NULL: there is none. */
const struct param *param_find(const struct param_schema *schema, const char *path, size_t *offset);

/* A row in its place. Fields are read and written through the start of the part's configuration,
 * since an array has its elements elsewhere than its count. */
struct param_place {
    const struct param *row;
    const struct param_table *table;
    size_t part; /* offset of the part's configuration in the whole */
};

/* All parts, then all rows, part by part in the order of the tables. */
size_t param_part_count(const struct param_schema *schema);
struct param_part param_part_at(const struct param_schema *schema, size_t index);
size_t param_count(const struct param_schema *schema);
struct param_place param_at(const struct param_schema *schema, size_t index);

/* The index of the row that a user means by `name`: its whole path, with the kernel's alias as last
 * part where there is one, or (unless whole) a unique last part. -1: none; *matches tells how many
 * last parts matched, NULL: not asked. */
ptrdiff_t param_lookup(const struct param_schema *schema, const char *name, bool whole,
                       size_t *matches);

/* Whether a path is or lies below one of schema->not_yet. */
bool param_not_yet(const struct param_schema *schema, const char *path);

/* Bytes of a field (of an array: of its count), and of the values of one setting: an array's count
 * and elements side by side. */
size_t param_bytes(const struct param *row);
size_t param_packed_bytes(const struct param *row, const void *part);
void param_pack(const struct param *row, const void *part, void *packed);
void param_unpack(const struct param *row, const void *packed, void *part);

/* Canonical text of a field, which reading gives back the same value ("200ms", "100kpps", "4", JSON
 * for distributions and arrays). Returns the length as snprintf does. */
int param_print(const struct param *row, const void *field, char *buffer, size_t bytes);

char *param_text(const struct param *row, const void *field); /* the same, malloc'ed */

/* Whether the canonical text stands bare in JSON (numbers, true, objects, arrays) or in quotes. */
bool param_bare_in_json(const struct param *row, const char *text);

/* "a whole number", "a time", ... for messages and help. */
const char *param_kind_name(enum param_kind kind);

/* The limits of a row in words ("2..32768, a power of two", "> 0"); "" where the type says all.
 * Returns the length as snprintf does. */
int param_limits(const struct param *row, char *buffer, size_t bytes);

/* A limit of a row in its own unit ("200ms", "4"). */
int param_print_limit(const struct param *row, double limit, char *buffer, size_t bytes);

/* Most a row accepts in base units, the row's limit or what the type holds. */
double param_most(const struct param *row);

#endif
