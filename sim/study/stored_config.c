/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/stored_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/value.h"

struct reading {
    struct config *config;
    struct error *error;
};

/* The text of a parameter that is not set: it needs no reading, and may be no value a file can give
 * ("0" of stop.relative_precision). */
static bool is_unset(const struct reading *reading, const struct param *row, size_t offset,
                     const char *text)
{
    char *unset = param_text(row, (const char *)reading->config + offset);
    bool same = strcmp(unset, text) == 0;

    free(unset);
    return same;
}

/* One stored parameter into the configuration. */
static bool take_param(void *context, int columns, const char *const *names,
                       const char *const *values)
{
    struct reading *reading = context;
    size_t offset;
    const struct param *row = param_find(&config_schema, values[0], &offset);

    (void)columns;
    (void)names;
    if (!row) {
        return error_set(reading->error, ERROR_INPUT, values[0],
                         "the store has this parameter, this program has not");
    }
    if (!value_from_text(row, values[1], (char *)reading->config + offset - row->offset) &&
        !is_unset(reading, row, offset, values[1])) {
        return error_set(reading->error, ERROR_INPUT, values[0],
                         "the store has the value %.60s, which this program does not take",
                         values[1]);
    }
    return true;
}

bool stored_config_read(struct config *config, struct store *store, int64_t config_id,
                        struct error *error)
{
    struct reading reading = {.config = config, .error = error};
    char sql[96];

    snprintf(sql, sizeof sql, "SELECT path, value FROM param WHERE config_id = %lld",
             (long long)config_id);
    memset(config, 0, sizeof *config);
    return store_query(store, sql, take_param, &reading, error) && error->kind == ERROR_NONE;
}
