/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots of a user: two files in a folder. */
#include "tests/study/report_fixture.h"
#include "tests/suite.h"

static const char good_sql[] =
    "-- title: Seeds & \"runs\"\n-- caption: first line,\n-- caption: second\n"
    "SELECT s.name AS series, r.id, r.replication AS y FROM scenario s"
    " JOIN config c ON c.scenario_id = s.id JOIN run r ON r.config_id = c.id"
    " ORDER BY s.id, r.id\n";
static const char good_gp[] = "load 'style.gp'\nplot for [i = 1:blocks] data index i - 1 "
                              "using 'id':'y' with points title series[i]\n";

static struct fixture f;
static struct report report;
static struct error error;

static void begin(void)
{
    /* Where style.gp and points.with come from: the user's folder has only the two files. */
    setenv("VQSIM_DATA", SOURCE_DIR, 1);
    fixture_init(&f);
    fixture_store(&f, true);
}

static void end(void)
{
    report_close(&report);
    fixture_fini(&f);
}

static void put_plot(const char *name, const char *sql, const char *gp)
{
    char file[300];

    if (sql) {
        snprintf(file, sizeof file, "%s.sql", name);
        fixture_write(f.plots, file, sql);
    }
    if (gp) {
        snprintf(file, sizeof file, "%s.gp", name);
        fixture_write(f.plots, file, gp);
    }
}

static bool make(void)
{
    return fixture_report(&f, f.plots, &report, &error);
}

/* A good plot beside a bad one: the good one is drawn, the bad one's reason names file and cause.
 */
static void expect_broken(const char *sql, const char *gp, const char *file, const char *cause)
{
    put_plot("good", good_sql, good_gp);
    put_plot("bad", sql, gp);
    ck_assert_msg(make(), "%s", error.text);
    const struct plot *bad = fixture_plot(&report, "bad");
    ck_assert_int_eq(fixture_plot(&report, "good")->state, PLOT_DRAWN);
    ck_assert_int_eq(bad->state, PLOT_BROKEN);
    ck_assert_msg(strstr(bad->reason, file) && strstr(bad->reason, cause), "%s", bad->reason);
    ck_assert_uint_eq(report.broken, 1);
    ck_assert(!fixture_has(f.out, "bad.svg"));
    char *page = fixture_read(f.out, "index.html");
    ck_assert_ptr_nonnull(strstr(page, "<b>broken</b>"));
    free(page);
}

START_TEST(two_files_in_a_folder_are_a_plot)
{
    put_plot("mine", good_sql, good_gp);
    ck_assert_msg(make(), "%s", error.text);
    ck_assert_uint_eq(report.drawn, 1);
    const struct plot *plot = fixture_plot(&report, "mine");
    ck_assert_str_eq(plot->title, "Seeds & \"runs\"");
    ck_assert_str_eq(plot->caption, "first line, second");
    ck_assert_uint_eq(plot->blocks, 2); /* one for each scenario */
    char *page = fixture_read(f.out, "index.html");
    ck_assert_ptr_nonnull(strstr(page, "<h3>Seeds &amp; &quot;runs&quot;</h3>"));
    ck_assert_ptr_nonnull(
        strstr(page, "thr &lt;b>\"sweep\"&lt;/b> &amp; 'more'")); /* in the legend */
    free(page);
}
END_TEST

START_TEST(plot_names_may_hold_blanks_quotes_and_umlauts)
{
    static const char *const names[] = {"it's a plot", "-größe \"x\" & <y>", "$(touch x)`touch y`"};

    for (size_t i = 0; i < 3; i++) {
        put_plot(names[i], good_sql, good_gp);
    }
    ck_assert_msg(make(), "%s", error.text);
    for (size_t i = 0; i < 3; i++) {
        const struct plot *plot = fixture_plot(&report, names[i]);

        ck_assert_msg(plot->state == PLOT_DRAWN, "%s", plot->reason);
    }
}
END_TEST

START_TEST(plots_come_in_the_order_they_ask_for)
{
    char sql[600];

    snprintf(sql, sizeof sql, "-- order: 5\n%s", good_sql);
    put_plot("b", sql, good_gp);
    put_plot("a", good_sql, good_gp);
    put_plot("c", good_sql, good_gp);
    ck_assert(make());
    ck_assert_str_eq(report.plots.list[0].name, "b");
    ck_assert_str_eq(report.plots.list[1].name, "a");
    ck_assert_str_eq(report.plots.list[2].name, "c");
}
END_TEST

START_TEST(a_query_with_too_few_rows_is_listed_with_the_reason)
{
    put_plot("good", good_sql, good_gp);
    put_plot("one", "SELECT 1 AS x", good_gp);
    put_plot("many", "-- needs: 100 rows\nSELECT id FROM result", good_gp);
    put_plot("hollow", "SELECT replication AS x, NULL AS y FROM run", good_gp);
    ck_assert(make());
    ck_assert_int_eq(fixture_plot(&report, "hollow")->state, PLOT_EMPTY);
    ck_assert_msg(strstr(fixture_plot(&report, "hollow")->reason, "a value is missing"), "%s",
                  fixture_plot(&report, "hollow")->reason);
    ck_assert_int_eq(fixture_plot(&report, "one")->state, PLOT_EMPTY);
    ck_assert_str_eq(fixture_plot(&report, "one")->reason, "the query returned 1 row, it needs 2");
    ck_assert_str_eq(fixture_plot(&report, "many")->reason,
                     "the query returned 57 rows, it needs 100");
    ck_assert_uint_eq(report.broken, 0);
    char *page = fixture_read(f.out, "index.html");
    ck_assert_ptr_nonnull(strstr(page, "the query returned 57 rows, it needs 100"));
    free(page);
}
END_TEST

START_TEST(a_broken_query_names_its_file)
{
    expect_broken("SELECT nonsense FROM result", good_gp, "bad.sql", "nonsense");
}
END_TEST

START_TEST(a_query_that_writes_is_refused)
{
    expect_broken("DELETE FROM metric", good_gp, "bad.sql", "SELECT");
}
END_TEST

START_TEST(a_broken_script_names_its_file)
{
    expect_broken(good_sql, "load 'style.gp'\nplot nonsense(\n", "bad.gp", "line");
}
END_TEST

START_TEST(a_script_that_draws_nothing_is_broken)
{
    expect_broken(good_sql, "# nothing\n", "bad.gp", "no whole picture");
}
END_TEST

START_TEST(a_script_that_leaves_an_empty_file_is_broken)
{
    expect_broken(good_sql, "set print out\nprint ''\n", "bad.gp", "no whole picture");
}
END_TEST

START_TEST(a_query_without_a_script_is_told)
{
    expect_broken(good_sql, NULL, "bad.sql", "no bad.gp");
}
END_TEST

START_TEST(a_script_without_a_query_is_told)
{
    expect_broken(NULL, good_gp, "bad.gp", "no bad.sql");
}
END_TEST

START_TEST(a_missing_shared_query_is_told)
{
    expect_broken("-- with: nowhere\nSELECT 1", good_gp, "bad.sql", "nowhere.with");
}
END_TEST

START_TEST(a_number_of_rows_that_is_none_is_told)
{
    expect_broken("-- needs: some\nSELECT 1", good_gp, "bad.sql", "some");
}
END_TEST

START_TEST(a_query_may_build_on_the_shared_one)
{
    put_plot("mine",
             "-- with: points\nSELECT label AS series, replication AS id, saved_ns AS y FROM gain"
             " WHERE thr = 4 AND sg IS NULL ORDER BY place, replication",
             good_gp);
    ck_assert_msg(make(), "%s", error.text);
    const struct plot *plot = fixture_plot(&report, "mine");
    ck_assert_uint_eq(plot->rows, 6);
    ck_assert_str_eq(plot->series[0], "xsk <n=\"2\">");
}
END_TEST

START_TEST(notes_go_on_with_the_caption_and_are_no_data)
{
    put_plot(
        "mine",
        "-- caption: Bands: {level}.\nSELECT 1 AS id, 2 AS y, 'A <note>.' AS note, NULL AS note"
        " UNION ALL SELECT 2, 3, 'A <note>.', 'Another.'",
        good_gp);
    ck_assert_msg(make(), "%s", error.text);
    ck_assert_str_eq(fixture_plot(&report, "mine")->caption, "Bands: {level}. A <note>. Another.");
    char *data = fixture_read(f.out, "mine.dat");
    ck_assert_str_eq(data, "# \"\" \"\"\nid y\n1 2\n2 3\n");
    free(data);
    char *page = fixture_read(f.out, "index.html");
    ck_assert_ptr_nonnull(strstr(page, "Bands: 90 %. A &lt;note&gt;. Another."));
    free(page);
}
END_TEST

START_TEST(queries_know_the_bound_of_a_cache)
{
    static const struct {
        const char *variant, *thr, *more, *bytes;
    } cases[] = {
        {"v2", "4", "", "15232.0"},   /* 238 items of 64 bytes */
        {"v2", "5", "", "22848.0"},   /* of 96 */
        {"v2", "18", "", "121856.0"}, /* of 512 */
        {"v1", "18", "", "15232.0"},  /* items of 4 entries */
        {"v3", "4", "", "16384.0"},   /* an array of 256 */
        {"v2", "0", "", "0.0"},
        {"v2", "4", " UNION ALL SELECT 'guest.slab.tables', 'kmem_cache'", "0.0"},
        {"v2", "4", " UNION ALL SELECT 'guest.desc_cache.items', '10'", "640.0"},
        {"v4", "4", " UNION ALL SELECT 'guest.tx_ring.indirect', 'false'", "0.0"},
    };
    char sql[4000];
    size_t used = 0;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        used += (size_t)snprintf(
            sql + used, sizeof sql - used,
            "%s SELECT %zu AS id, 1.0 * cache_bound_bytes(p, v) AS y FROM (SELECT"
            " 'guest.tx_ring.size' AS p, '256' AS v UNION ALL SELECT 'guest.tx_ring.indirect',"
            " 'true' UNION ALL SELECT 'guest.max_skb_frags', '17' UNION ALL SELECT"
            " 'guest.bytes_per_sg', '16' UNION ALL SELECT 'guest.desc_cache.most_contiguous', "
            "'4MiB'"
            " UNION ALL SELECT 'guest.desc_cache.variant', '%s' UNION ALL SELECT"
            " 'guest.virtio_desc_cache_thr', '%s'%s)",
            i > 0 ? " UNION ALL" : "", i, cases[i].variant, cases[i].thr, cases[i].more);
    }
    ck_assert_uint_lt(used, sizeof sql);
    put_plot("mine", sql, good_gp);
    ck_assert_msg(make(), "%s", error.text);
    char *data = fixture_read(f.out, "mine.dat"), *line = data;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char expected[100];

        snprintf(expected, sizeof expected, "\n%zu %s\n", i, cases[i].bytes);
        line = strstr(line, expected);
        ck_assert_msg(line != NULL, "no %s in %s", expected, data);
    }
    free(data);
}
END_TEST

static const char labels_sql[] = "-- with: points\nSELECT label AS series, thr AS id, nth AS y FROM"
                                 " point WHERE sg IS NULL ORDER BY place, thr";

/* An axis more with one value; "other" is a second parameter of the schema. */
static void add_axis(const char *path, const char *other)
{
    char sql[600];

    snprintf(sql, sizeof sql,
             "INSERT INTO axis SELECT id, '%s', '50ns', NULL, 5 FROM config WHERE scenario_id = 1;"
             "INSERT INTO param SELECT id, '%s', '50ns' FROM config;"
             "INSERT INTO param SELECT id, '%s', '1ns' FROM config;",
             path, path, other);
    fixture_exec(&f, sql);
}

START_TEST(axes_are_named_with_as_much_of_their_path_as_tells_them_apart)
{
    static const struct {
        const char *path, *other, *label;
    } cases[] = {
        {"costs.host.packet", "guest.stack.packet", "xsk <n=\"2\">, costs.host.packet 50ns"},
        {"guest.napi.weight", "guest.napi.budget", "xsk <n=\"2\">, weight 50ns"},
        /* part of a metric's name, kicks_per_packet */
        {"guest.xsk.kicks", "guest.xsk.budget", "xsk <n=\"2\">, xsk.kicks 50ns"},
    };

    put_plot("mine", labels_sql, good_gp);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture_exec(&f, "DELETE FROM axis WHERE axis_index = 5;"
                         "DELETE FROM param WHERE value IN ('50ns', '1ns')");
        add_axis(cases[i].path, cases[i].other);
        ck_assert_msg(make(), "%s", error.text);
        ck_assert_str_eq(fixture_plot(&report, "mine")->series[0], cases[i].label);
        report_close(&report);
    }
}
END_TEST

START_TEST(null_and_odd_text_reach_the_data_file_harmless)
{
    put_plot("odd",
             "SELECT 1 AS id, 2 AS y, NULL AS \"a b\", 'say \"hi\" \\n' || char(9) || 'x' AS t"
             " UNION ALL SELECT 2, 3, -1.5e3, ''",
             good_gp);
    ck_assert_msg(make(), "%s", error.text);
    char *data = fixture_read(f.out, "odd.dat");
    ck_assert_str_eq(
        data, "# \"\" \"\"\nid y \"a b\" t\n1 2 NaN \"say 'hi' \\\\n x\"\n2 3 -1500.0 \"\"\n");
    free(data);
}
END_TEST

/* The indented block that follows `heading` in a text, without its indent. */
static char *block_after(const char *text, const char *heading)
{
    char *block = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&block, &bytes);
    const char *line = strstr(text, heading);

    ck_assert_ptr_nonnull(line);
    line = strstr(line, "\n    ");
    while (line && strncmp(line, "\n    ", 5) == 0) {
        const char *end = strchr(line + 1, '\n');

        fwrite(line + 5, 1, (size_t)(end - line - 4), out);
        line = end;
    }
    fclose(out);
    return block;
}

START_TEST(example_of_the_guide_is_drawn)
{
    char *guide = fixture_read(SOURCE_DIR "/docs", "plots.md");
    char *sql = block_after(guide, "`kicks.sql`");
    char *gp = block_after(guide, "`kicks.gp`");

    put_plot("kicks", sql, gp);
    ck_assert_msg(make(), "%s", error.text);
    const struct plot *plot = fixture_plot(&report, "kicks");
    ck_assert_str_eq(plot->title, "Kicks against the threshold");
    ck_assert_uint_eq(plot->rows, 10);
    ck_assert_str_eq(plot->reason, "");
    free(guide);
    free(sql);
    free(gp);
}
END_TEST

START_TEST(an_empty_plots_folder_has_nothing_to_plot)
{
    ck_assert(!make());
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strstr(error.text, "nothing to plot: there is no plot in") != NULL, "%s",
                  error.text);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = two_files_in_a_folder_are_a_plot},
        {.test = plot_names_may_hold_blanks_quotes_and_umlauts},
        {.test = plots_come_in_the_order_they_ask_for},
        {.test = a_query_with_too_few_rows_is_listed_with_the_reason},
        {.test = a_broken_query_names_its_file},
        {.test = a_query_that_writes_is_refused},
        {.test = a_broken_script_names_its_file},
        {.test = a_script_that_draws_nothing_is_broken},
        {.test = a_script_that_leaves_an_empty_file_is_broken},
        {.test = a_query_without_a_script_is_told},
        {.test = a_script_without_a_query_is_told},
        {.test = a_missing_shared_query_is_told},
        {.test = a_number_of_rows_that_is_none_is_told},
        {.test = a_query_may_build_on_the_shared_one},
        {.test = notes_go_on_with_the_caption_and_are_no_data},
        {.test = queries_know_the_bound_of_a_cache},
        {.test = axes_are_named_with_as_much_of_their_path_as_tells_them_apart},
        {.test = null_and_odd_text_reach_the_data_file_harmless},
        {.test = example_of_the_guide_is_drawn},
        {.test = an_empty_plots_folder_has_nothing_to_plot},
        {0},
    };

    return suite_run_cases("report_plots", begin, end, cases);
}
