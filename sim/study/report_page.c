/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/html.h"
#include "sim/study/report.h"
#include "sim/study/report_answer.h"
#include "sim/study/report_load.h"
#include "sim/study/report_path.h"
#include "sim/study/text_file.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<style>\n"
    "body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff;max-width:980px;"
    "margin:2em auto;padding:0 1em}\n"
    "h1{font-size:1.55em;line-height:1.25;margin:.2em 0 .6em}\n"
    "h2{font-size:1.25em;margin:2em 0 .4em;border-bottom:1px solid #ddd}\n"
    "h3{font-size:1.05em;margin:1.6em 0 0}\n"
    ".answer{font-size:1.15em;background:#eef4fa;border-left:4px solid #0072B2;padding:.6em .9em;"
    "margin:.4em 0}\n"
    ".limits{background:#fdf7ef;border-left:4px solid #E69F00;padding:.1em 1em .3em}\n"
    ".small,figcaption{font-size:.88em;color:#555}\n"
    ".ask{margin:.1em 0 .5em;font-style:italic;color:#444}\n"
    ".note{color:#8a3b00;font-size:.88em}\n"
    "figure{margin:0 0 1.2em}\nfigure svg{width:100%;height:auto;display:block}\n"
    "table{border-collapse:collapse;font-size:.88em}\n"
    "td,th{border:1px solid #ddd;padding:.15em .6em;text-align:left;vertical-align:top}\n"
    "td{overflow-wrap:break-word}\n.wide{overflow-x:auto}\nsummary{cursor:pointer}\n"
    "code{font-size:.92em}\n"
    "</style>\n";

struct rows {
    FILE *page;
    size_t count;
};

static bool table_row(void *context, int columns, const char *const *names,
                      const char *const *values)
{
    struct rows *rows = context;

    if (rows->count == 0) {
        fputs("<div class=\"wide\"><table><tr>", rows->page);
        for (int i = 0; i < columns; i++) {
            fputs("<th>", rows->page);
            html_text(rows->page, names[i]);
            fputs("</th>", rows->page);
        }
        fputs("</tr>\n", rows->page);
    }
    fputs("<tr>", rows->page);
    for (int i = 0; i < columns; i++) {
        fputs("<td>", rows->page);
        html_text(rows->page, values[i]);
        fputs("</td>", rows->page);
    }
    fputs("</tr>\n", rows->page);
    rows->count++;
    return true;
}

/* The rows of a query as a table; nothing where there is none. */
static bool put_table(struct store *store, const char *sql, FILE *page, size_t *count,
                      struct error *error)
{
    struct rows rows = {.page = page};
    bool ok = store_query(store, sql, table_row, &rows, error);

    fputs(rows.count > 0 ? "</table></div>\n" : "", page);
    *count = rows.count;
    return ok;
}

static bool list_row(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct rows *rows = context;

    (void)columns;
    (void)names;
    fputs(rows->count++ == 0 ? "<ul>\n<li>" : "<li>", rows->page);
    html_text(rows->page, values[0]);
    fputs("</li>\n", rows->page);
    return true;
}

static bool heading_row(void *context, int columns, const char *const *names,
                        const char *const *values)
{
    struct rows *rows = context;
    const char *question = values[0] && values[0][0] != '\0' ? values[0] : values[1];

    (void)columns;
    (void)names;
    if (rows->count == 0) {
        fputs("<title>", rows->page);
        html_text(rows->page, values[1]);
        fputs(" &mdash; vqsim report</title>\n</head>\n<body>\n<h1>", rows->page);
        html_text(rows->page, question);
        fputs("</h1>\n", rows->page);
    } else {
        fputs("<p><b>And:</b> ", rows->page);
        html_text(rows->page, question);
        fputs("</p>\n", rows->page);
    }
    rows->count++;
    return true;
}

/* The question each scenario asks; of those of one name only the newest counts, as in the plots. */
static bool put_heading(struct store *store, FILE *page, struct error *error)
{
    struct rows rows = {.page = page};

    fputs(head, page);
    bool ok = store_query(store,
                          "SELECT question, name FROM scenario s WHERE id IN (SELECT max(id) FROM"
                          " scenario GROUP BY name) AND " STORE_ASKED
                          " AND EXISTS (SELECT 1 FROM config c JOIN run r"
                          " ON r.config_id = c.id WHERE c.scenario_id = s.id) ORDER BY id",
                          heading_row, &rows, error);
    if (rows.count == 0) {
        fputs("<title>vqsim report</title>\n</head>\n<body>\n<h1>vqsim report</h1>\n", page);
    }
    return ok;
}

static bool put_answer(const struct report *report, struct store *store, FILE *page,
                       struct error *error)
{
    struct answer answer;
    char *with = plots_text(&report->plots, "points", ".with");

    if (!with) {
        fputs("<p class=\"answer\">No answer is computed: the plots folder has no "
              "<code>points.with</code>.</p>\n",
              page);
        return true;
    }
    size_t answers = 0, paths = 0;
    bool ok = true;
    for (int kind = ANSWER_THRESHOLDS; ok && kind <= ANSWER_VARIANTS; kind++) {
        ok = answer_read(&answer, (enum answer_kind)kind, store, with, error);
        answer.level = report->level;
        if (ok) {
            answer_html(&answer, page);
        }
        answers += answer.count;
        answer_free(&answer);
    }
    ok = ok && answer_sg_html(store, with, page, &paths, error);
    if (ok && answers + paths == 0) {
        fputs("<p class=\"answer\">No answer is computed: the store holds neither a sweep of "
              "virtio_desc_cache_thr that includes 0 nor variants to compare.</p>\n",
              page);
    }
    ok = ok && path_html(store, with, page, error);
    free(with);
    return ok;
}

static void put_limits(const struct report *report, FILE *page)
{
    char *limits = plots_text(&report->plots, "limits", ".html");

    if (limits) {
        fputs("<h2>What this cannot tell you</h2>\n<div class=\"limits\">\n", page);
        fputs(limits, page);
        fputs("</div>\n", page);
    }
    free(limits);
}

/* {level} stands for the confidence of the intervals. */
static void put_caption(const struct report *report, const char *caption, FILE *page)
{
    static const char level[] = "{level}";

    for (const char *at; caption && (at = strstr(caption, level)); caption = at + strlen(level)) {
        char *part = strndup(caption, (size_t)(at - caption));

        html_text(page, part);
        html_text(page, report->level);
        free(part);
    }
    html_text(page, caption);
}

static bool put_plot(const struct report *report, const struct plot *plot, size_t index, FILE *page,
                     struct error *error)
{
    char path[PATH_MAX], prefix[32];

    snprintf(path, sizeof path, "%s/%s.svg", report->out, plot->name);
    char *svg = text_file_read(path, error);
    if (!svg) {
        return false;
    }
    fputs("<h3>", page);
    html_text(page, plot->title);
    fputs("</h3>\n", page);
    if (plot->question[0] != '\0') {
        fputs("<p class=\"ask\">", page);
        html_text(page, plot->question);
        fputs("</p>\n", page);
    }
    fputs("<figure role=\"img\" aria-label=\"", page);
    html_text(page, plot->title);
    fputs("\">\n", page);
    snprintf(prefix, sizeof prefix, "p%zu-", index);
    html_svg(page, svg, prefix);
    free(svg);
    fputs("<figcaption>", page);
    put_caption(report, plot->caption, page);
    fputs(" <span class=\"small\">Files: <code>", page);
    html_text(page, plot->name);
    fputs("</code>.dat, .gp, .svg</span></figcaption>\n</figure>\n", page);
    if (plot->reason[0] != '\0') {
        fputs("<p class=\"note\">gnuplot said: ", page);
        html_text(page, plot->reason);
        fputs("</p>\n", page);
    }
    return true;
}

static bool put_plots(const struct report *report, FILE *page, struct error *error)
{
    const struct plots *plots = &report->plots;

    fputs("<h2>Plots</h2>\n", page);
    for (size_t i = 0; i < plots->count; i++) {
        if (plots->list[i].state == PLOT_DRAWN &&
            !put_plot(report, &plots->list[i], i, page, error)) {
            return false;
        }
    }
    if (report->empty + report->broken == 0) {
        return true;
    }
    fputs("<h2>Plots not drawn</h2>\n<ul>\n", page);
    for (size_t i = 0; i < plots->count; i++) {
        const struct plot *plot = &plots->list[i];

        if (plot->state == PLOT_DRAWN) {
            continue;
        }
        fputs("<li><code>", page);
        html_text(page, plot->name);
        fputs("</code> (", page);
        html_text(page, plot->title);
        fprintf(page, "): %s", plot->state == PLOT_BROKEN ? "<b>broken</b>: " : "");
        html_text(page, plot->reason);
        fputs("</li>\n", page);
    }
    fputs("</ul>\n", page);
    return true;
}

/* What varied, each path once for a scenario: its axes, variants and what the cases override. */
static const char varied[] =
    "WITH v AS (SELECT DISTINCT s.id, s.name, p.path, CASE WHEN length(p.value) > 80"
    " THEN substr(p.value, 1, 76) || ' ...' ELSE p.value END AS value FROM param p"
    " JOIN config c ON c.id = p.config_id JOIN scenario s ON s.id = c.scenario_id AND " STORE_ASKED
    " UNION SELECT DISTINCT s.id, s.name, 'case', a.value FROM axis a"
    " JOIN config c ON c.id = a.config_id JOIN scenario s ON s.id = c.scenario_id AND " STORE_ASKED
    " WHERE a.path = 'case'"
    " UNION SELECT DISTINCT s.id, s.name, 'variant', c.variant FROM config c"
    " JOIN scenario s ON s.id = c.scenario_id AND " STORE_ASKED ")"
    " SELECT name AS scenario, path AS parameter, count(*) AS 'values', CASE WHEN count(*) > 24"
    " THEN min(CAST(value AS REAL)) || ' .. ' || max(CAST(value AS REAL))"
    " ELSE group_concat(value, ', ') END AS 'which'"
    " FROM (SELECT * FROM v ORDER BY id, path, CAST(value AS REAL), value)"
    " GROUP BY id, path HAVING count(*) > 1 ORDER BY id, path <> 'case', path";

static const char effective[] =
    "SELECT p.path AS parameter, p.value AS value FROM param p WHERE p.config_id ="
    " (SELECT c.id FROM config c JOIN run r ON r.config_id = c.id"
    " JOIN scenario s ON s.id = c.scenario_id AND " STORE_ASKED
    " ORDER BY c.scenario_id DESC, c.point_index, c.variant_index, c.id DESC LIMIT 1)"
    " ORDER BY p.path";

static bool put_configuration(struct store *store, FILE *page, struct error *error)
{
    size_t count = 0;

    fputs("<h2>Configuration</h2>\n<details open><summary>What varied</summary>\n", page);
    if (!put_table(store, varied, page, &count, error)) {
        return false;
    }
    fputs(count == 0 ? "<p>Nothing.</p>\n" : "", page);
    fputs("</details>\n<details><summary>Effective configuration of the first point (every "
          "parameter, defaults included)</summary>\n",
          page);
    if (!put_table(store, effective, page, &count, error)) {
        return false;
    }
    fputs("</details>\n", page);
    return true;
}

static const char provenance[] =
    "SELECT s.name AS scenario,"
    " replace(s.file, rtrim(s.file, replace(s.file, '/', '')), '')"
    " || ' (SHA-256 ' || substr(s.sha256, 1, 12) || ')' AS file,"
    " count(DISTINCT c.id) AS points, count(*) AS runs,"
    " min(n) || CASE WHEN max(n) > min(n) THEN '..' || max(n) ELSE '' END AS replications,"
    " CASE WHEN count(DISTINCT r.seed) = 1 THEN min(r.seed)"
    " ELSE count(DISTINCT r.seed) || ' seeds, first ' || min(r.seed) END AS seed,"
    " count(DISTINCT r.fingerprint) AS 'distinct fingerprints', printf('%,d', sum(r.packets))"
    " AS packets, group_concat(DISTINCT r.version || ' (models ' || r.revision || ')') AS version"
    " FROM scenario s JOIN config c ON c.scenario_id = s.id JOIN run r ON r.config_id = c.id"
    " JOIN (SELECT config_id, count(*) AS n FROM run GROUP BY config_id) k ON k.config_id = c.id"
    " GROUP BY s.id ORDER BY s.id";

static const char hung[] =
    "SELECT s.name AS scenario, c.point_index AS point, c.variant AS variant,"
    " r.replication AS replication, r.hung_why AS 'a run that hung'"
    " FROM run r JOIN config c ON c.id = r.config_id JOIN scenario s ON s.id = c.scenario_id"
    " WHERE r.hung_why <> '' ORDER BY s.id, c.point_index, c.variant_index, r.replication LIMIT 20";

/* What a reader must know before the first figure: what is not drawn, and axes without effect. */
static const char notes[] =
    " SELECT 'The store holds ' || count(*) || ' sweeps of the scenario ' || s.name || ' (seeds '"
    " || group_concat(s.seed, ', ') || '): only the newest, with seed '"
    " || (SELECT seed FROM seeded n WHERE n.name = s.name ORDER BY id DESC LIMIT 1)"
    " || ', is drawn and answered. To see an older one, sweep it into a store of its own.'"
    " FROM (SELECT * FROM seeded ORDER BY id) s GROUP BY s.name HAVING count(*) > 1"
    " UNION ALL SELECT 'In ' || f.scenario || ' the sweep of ' || f.path || ' does not change '"
    " || group_concat(f.variant, ', ') || ': a variant that sets the parameter itself has the same"
    " result at every value of the axis. '"
    " || CASE WHEN f.path = 'guest.virtio_desc_cache_thr' THEN 'It is shown once, as a variant.'"
    " ELSE 'Its rows are alike.' END FROM fixed f GROUP BY f.scenario_id, f.path";

static const char seeded[] =
    ", seeded AS (SELECT s.id, s.name, (SELECT p.value FROM param p JOIN config c"
    " ON c.id = p.config_id WHERE c.scenario_id = s.id AND p.path = 'seed' LIMIT 1) AS seed"
    " FROM scenario s WHERE " STORE_ASKED
    " AND EXISTS (SELECT 1 FROM config c JOIN run r ON r.config_id = c.id"
    " WHERE c.scenario_id = s.id))";

static bool note_row(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    FILE *page = context;

    (void)columns;
    (void)names;
    if (values[0]) {
        fputs("<p class=\"note\"><b>Note:</b> ", page);
        html_text(page, values[0]);
        fputs("</p>\n", page);
    }
    return true;
}

static bool put_notes(const struct report *report, struct store *store, FILE *page,
                      struct error *error)
{
    char *with = plots_text(&report->plots, "points", ".with");
    char *sql = NULL;
    bool ok = true;

    if (with && asprintf(&sql, "%s%s%s", with, seeded, notes) > 0) {
        ok = store_query(store, sql, note_row, page, error);
    }
    ok = ok && (!with || load_html(store, with, page, error));
    free(with);
    free(sql);
    return ok;
}

/* Configurations that the plots leave out because a newer one of the same point is there. */
static const char outdated[] =
    "SELECT 'Of ' || count(*) || ' points in the store, ' || (count(*) - (SELECT count(*) FROM "
    "kept))"
    " || ' are left out of the plots: the store holds a newer scenario of the same name, or the "
    "same "
    "point with other parameters.' FROM config c JOIN scenario s ON s.id = c.scenario_id "
    "AND " STORE_ASKED " WHERE EXISTS (SELECT 1 FROM run r WHERE"
    " r.config_id = c.id) HAVING count(*) > (SELECT count(*) FROM kept)";

static bool put_warnings(const struct report *report, struct store *store, FILE *page,
                         struct error *error)
{
    struct rows rows = {.page = page};
    char *with = plots_text(&report->plots, "points", ".with");
    char *sql = NULL;
    size_t count = 0;

    fputs("<h2>Warnings</h2>\n", page);
    bool ok = store_query(store, "SELECT DISTINCT text FROM warning ORDER BY scenario_id, text",
                          list_row, &rows, error);
    if (ok && with && asprintf(&sql, "%s%s", with, outdated) > 0) {
        ok = store_query(store, sql, list_row, &rows, error);
    }
    free(with);
    free(sql);
    fputs(rows.count > 0 ? "</ul>\n" : "", page);
    ok = ok && put_table(store, hung, page, &count, error);
    fputs(rows.count + count == 0 ? "<p>None.</p>\n" : "", page);
    return ok;
}

static bool put_provenance(const struct report *report, struct store *store, const char *store_file,
                           FILE *page, struct error *error)
{
    size_t count = 0;

    fputs("<h2>Where this comes from</h2>\n<p>Store <code>", page);
    html_text(page, store_file);
    fputs("</code>, page drawn by vqsim " VQSIM_VERSION
          ". Every bar and band is a confidence interval (Student t over replications) of ",
          page);
    html_text(page, report->level);
    fputs(
        "; replications of different settings share their random numbers and are compared pair by "
        "pair.</p>\n",
        page);
    return put_table(store, provenance, page, &count, error);
}

bool report_page(const struct report *report, struct store *store, const char *store_file,
                 struct error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *page = open_memstream(&text, &bytes);

    if (!page) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    bool ok = put_heading(store, page, error) && put_notes(report, store, page, error) &&
              put_answer(report, store, page, error);
    if (ok) {
        put_limits(report, page);
    }
    ok = ok && put_plots(report, page, error) && put_configuration(store, page, error) &&
         put_warnings(report, store, page, error) &&
         put_provenance(report, store, store_file, page, error);
    fputs("</body>\n</html>\n", page);
    if (fclose(page) != 0) {
        free(text);
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    ok = ok && text_file_write(report->page, text, error);
    free(text);
    return ok;
}
