/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQL functions for plots: t_quantile(level, n), and the aggregates stdev(x) and half_width(x) (95
 * % over the rows), which leave out NULL and are NULL below two values.
 */
#include <math.h>

#include "sim/engine/interval.h"
#include "sim/engine/tally.h"
#include "sim/study/store_private.h"

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

static void end_half_width(sqlite3_context *context)
{
    struct tally *tally = sqlite3_aggregate_context(context, 0);

    if (!tally || tally->count < 2) {
        sqlite3_result_null(context);
        return;
    }
    result_number(context, interval_t(0.95, (uint32_t)tally->count) *
                               sqrt(tally_variance(tally) / (double)tally->count));
}

int store_add_functions(sqlite3 *db)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int code = sqlite3_create_function(db, "t_quantile", 2, flags, NULL, t_quantile, NULL, NULL);

    if (code == SQLITE_OK) {
        code = sqlite3_create_function(db, "stdev", 1, flags, NULL, NULL, add_value, end_stdev);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_create_function(db, "half_width", 1, flags, NULL, NULL, add_value,
                                       end_half_width);
    }
    return code;
}
