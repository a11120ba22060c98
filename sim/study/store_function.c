/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQL functions for plots: t_quantile(level, n), and the aggregates stdev(x), half_width(x) and
 * half_width(x, level) (0.95 unless given), which leave out NULL and are NULL below two values.
 * cache_bound_bytes(path, value), over the rows of param of one configuration, is what the
 * descriptor cache of a queue takes when every request the ring can hold has an item.
 */
#include <math.h>
#include <string.h>

#include "sim/engine/interval.h"
#include "sim/engine/tally.h"
#include "sim/study/config.h"
#include "sim/study/store_private.h"
#include "sim/study/value.h"

static void result_number(sqlite3_context *context, double value)
{
    if (isfinite(value)) {
        sqlite3_result_double(context, value);
    } else {
        sqlite3_result_null(context);
    }
}

static void t_quantile(sqlite3_context *context, int count, sqlite3_value **values)
{
    double level = sqlite3_value_double(values[0]);
    sqlite3_int64 n = sqlite3_value_int64(values[1]);

    (void)count;
    if (n < 2 || n > UINT32_MAX || !(level > 0 && level < 1)) {
        sqlite3_result_null(context);
        return;
    }
    result_number(context, interval_t(level, (uint32_t)n));
}

static void add_value(sqlite3_context *context, int count, sqlite3_value **values)
{
    /* SQLite zeroes it on the first call: an empty tally */
    struct tally *tally = sqlite3_aggregate_context(context, (int)sizeof *tally);

    (void)count;
    if (!tally) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (sqlite3_value_numeric_type(values[0]) == SQLITE_INTEGER ||
        sqlite3_value_numeric_type(values[0]) == SQLITE_FLOAT) {
        tally_add(tally, sqlite3_value_double(values[0]));
    }
}

static void end_stdev(sqlite3_context *context)
{
    struct tally *tally = sqlite3_aggregate_context(context, 0);

    result_number(context, tally ? sqrt(tally_variance(tally)) : NAN);
}

struct half_width {
    struct tally tally;
    double level; /* of the last row: one interval has one */
};

static void add_half_width(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct half_width *half = sqlite3_aggregate_context(context, (int)sizeof *half);

    if (!half) {
        sqlite3_result_error_nomem(context);
        return;
    }
    half->level = count > 1 ? sqlite3_value_double(values[1]) : 0.95;
    if (sqlite3_value_numeric_type(values[0]) == SQLITE_INTEGER ||
        sqlite3_value_numeric_type(values[0]) == SQLITE_FLOAT) {
        tally_add(&half->tally, sqlite3_value_double(values[0]));
    }
}

static void end_half_width(sqlite3_context *context)
{
    struct half_width *half = sqlite3_aggregate_context(context, 0);

    if (!half || half->tally.count < 2 || !(half->level > 0 && half->level < 1)) {
        sqlite3_result_null(context);
        return;
    }
    result_number(context, interval_t(half->level, (uint32_t)half->tally.count) *
                               sqrt(tally_variance(&half->tally) / (double)half->tally.count));
}

struct bound {
    struct config config;
    bool unknown; /* a value that this program does not take */
};

/* Takes the rows that the closed form needs; a row of another program's schema is passed over. */
static void add_parameter(sqlite3_context *context, int count, sqlite3_value **values)
{
    static const char *const needed[] = {
        "guest.tx_ring.",     "guest.desc_cache.",           "guest.slab.tables",
        "guest.bytes_per_sg", "guest.virtio_desc_cache_thr", "guest.max_skb_frags",
    };
    struct bound *bound = sqlite3_aggregate_context(context, (int)sizeof *bound);
    const char *path = (const char *)sqlite3_value_text(values[0]);
    const char *text = (const char *)sqlite3_value_text(values[1]);

    (void)count;
    if (!bound) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (size_t i = 0; path && text && i < sizeof needed / sizeof needed[0]; i++) {
        size_t offset = 0;

        if (strncmp(path, needed[i], strlen(needed[i])) != 0) {
            continue;
        }
        const struct param *row = param_find(&config_schema, path, &offset);
        if (row && !value_from_text(row, text, (char *)&bound->config + offset - row->offset)) {
            bound->unknown = true;
        }
    }
}

/* NULL where the rows do not say how large the ring is. */
static void end_cache_bound(sqlite3_context *context)
{
    const struct bound *bound = sqlite3_aggregate_context(context, 0);

    if (!bound || bound->unknown || bound->config.datapath.tx_ring.size == 0) {
        sqlite3_result_null(context);
        return;
    }
    const struct datapath_config *c = &bound->config.datapath;
    const struct desc_cache_queue queue = {
        .ring_size = c->tx_ring.size,
        .max_skb_frags = c->guest.max_skb_frags,
        .bytes_per_sg = c->indirect.bytes_per_sg,
        .indirect = c->tx_ring.indirect,
    };
    struct desc_cache_shape shape = desc_cache_shape_of(&c->desc_cache, &queue);
    /* The queue stops below 2 + MAX_SKB_FRAGS free descriptors, and a request with a table takes
     * one: the last is added when exactly so many are free. */
    uint32_t kept_free = 1 + queue.max_skb_frags;
    uint32_t peak = queue.ring_size > kept_free ? queue.ring_size - kept_free : 0;
    /* A list of items for one entry never gets any; an array is there even so. */
    bool used = c->slab.tables != SLAB_TABLES_KMEM_CACHE &&
                (shape.array || (queue.indirect && shape.limit > 1));

    peak = peak < shape.items ? peak : shape.items;
    sqlite3_result_int64(context,
                         used ? (sqlite3_int64)desc_cache_allocated_bytes(&shape, peak) : 0);
}

int store_add_functions(sqlite3 *db)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int code = sqlite3_create_function(db, "t_quantile", 2, flags, NULL, t_quantile, NULL, NULL);

    if (code == SQLITE_OK) {
        code = sqlite3_create_function(db, "stdev", 1, flags, NULL, NULL, add_value, end_stdev);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_create_function(db, "half_width", 1, flags, NULL, NULL, add_half_width,
                                       end_half_width);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_create_function(db, "half_width", 2, flags, NULL, NULL, add_half_width,
                                       end_half_width);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_create_function(db, "cache_bound_bytes", 2, flags, NULL, NULL, add_parameter,
                                       end_cache_bound);
    }
    return code;
}
