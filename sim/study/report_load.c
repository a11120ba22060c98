/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/report_load.h"

#include <stdlib.h>

#include "sim/study/html.h"

/* A path is limited at the points where packets are dropped, and at those where the backend works
 * all the time: the same limits as `vqsim run` names. A note names its paths, or counts them when
 * they are more than eight. */
static const char overload[] =
    ", limited AS (SELECT p.label, p.place, d.value > 0 AS drops, coalesce(h.value, 0) >= 98 "
    "AS full, d.value AS dropped FROM point p LEFT JOIN (SELECT r.config_id, avg(m.value) AS "
    "value FROM run r JOIN metric m ON m.run_id = r.id AND m.name = 'drops_per_s' GROUP BY 1) "
    "d USING (config_id) LEFT JOIN (SELECT r.config_id, avg(m.value) AS value FROM run r JOIN "
    "metric m ON m.run_id = r.id AND m.name = 'host_work_percent' GROUP BY 1) h USING "
    "(config_id)), limited_count AS (SELECT label, min(place) AS place, count(*) AS n, "
    "sum(drops) AS drops, sum(full) AS full, max(dropped) AS dropped FROM limited GROUP BY "
    "label), limited_text AS (SELECT 1 AS drops, label || CASE WHEN drops < n THEN ' (' || "
    "drops || ' of ' || n || ' points)' ELSE '' END AS text, place, dropped FROM limited_count "
    "WHERE drops > 0 UNION ALL SELECT 0, label || CASE WHEN full < n THEN ' (' || full || ' of "
    "' || n || ' points)' ELSE '' END, place, NULL FROM limited_count WHERE full > 0), "
    "limited_names AS (SELECT drops, CASE WHEN count(*) > 8 THEN count(*) || ' paths' ELSE "
    "group_concat(text, '; ') END AS names, count(*) AS n, max(dropped) AS dropped FROM "
    "(SELECT * FROM limited_text ORDER BY place) GROUP BY drops) SELECT CASE WHEN drops THEN "
    "'Overloaded: ' || names || CASE WHEN n > 1 THEN ' drop up to ' ELSE ' drops up to ' END "
    "|| CASE WHEN dropped >= 1e6 THEN printf('%.3g M', dropped / 1e6) WHEN dropped >= 1e3 THEN "
    "printf('%.3g k', dropped / 1e3) ELSE printf('%.3g', dropped) END || ' packets/s before "
    "the ring: the sender is faster than the path, so what is sent there is' || ' what the "
    "path carries, not what was offered.' ELSE 'The backend is the bottleneck on ' || names || "
    "': what the guest saves there does not' || ' show in packets per second.' END FROM "
    "limited_names ORDER BY drops DESC";

static bool note_row(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    FILE *page = context;

    (void)columns;
    (void)names;
    fputs("<p class=\"note\"><b>Note:</b> ", page);
    html_text(page, values[0]);
    fputs("</p>\n", page);
    return true;
}

bool load_html(struct store *store, const char *with, FILE *page, struct error *error)
{
    char *sql = NULL;

    if (asprintf(&sql, "%s%s", with, overload) < 0) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    bool ok = store_query(store, sql, note_row, page, error);
    free(sql);
    return ok;
}
