/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>

#include "sim/study/data_dir.h"
#include "sim/study/html.h"
#include "tests/study/report_fixture.h"
#include "tests/suite.h"

static char *html_of(const char *text)
{
    char *html = NULL;
    size_t bytes = 0;
    FILE *page = open_memstream(&html, &bytes);

    html_text(page, text);
    fclose(page);
    return html;
}

START_TEST(html_text_leaves_no_markup)
{
    char *html = html_of("<a href=\"x\">&'\x01\n");

    ck_assert_str_eq(html, "&lt;a href=&quot;x&quot;&gt;&amp;&#39; \n");
    free(html);
}
END_TEST

START_TEST(html_text_replaces_what_is_no_utf8)
{
    static const struct {
        const char *text, *html;
    } cases[] = {
        {"gr\xc3\xb6\xc3\x9f"
         "er \xe2\x9c\x93 \xf0\x9f\x98\x80",
         "gr\xc3\xb6\xc3\x9f"
         "er \xe2\x9c\x93 \xf0\x9f\x98\x80"},
        {"\xff", "\xef\xbf\xbd"},
        {"\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* overlong "<" */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* surrogate */
        {"\xe2\x9c", "\xef\xbf\xbd\xef\xbf\xbd"},                 /* cut off */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *html = html_of(cases[i].text);

        ck_assert_str_eq(html, cases[i].html);
        free(html);
    }
}
END_TEST

START_TEST(html_svg_keeps_ids_of_pictures_apart_and_text_as_it_is)
{
    char *html = NULL;
    size_t bytes = 0;
    FILE *page = open_memstream(&html, &bytes);

    html_svg(page,
             "<?xml version='1.0'?>\n<svg a='1'><title>tip</title><path id='x'/><use "
             "xlink:href='#x' fill=\"url(#x)\"/><text> id='y' url(#y)</text></svg>",
             "p1-");
    fclose(page);
    ck_assert_str_eq(html, "<svg a='1'><path id='p1-x'/><use xlink:href='#p1-x' "
                           "fill=\"url(#p1-x)\"/><text> id='y' url(#y)</text></svg>");
    free(html);
}
END_TEST

START_TEST(data_dir_takes_the_given_folder_then_the_environment)
{
    struct error error = {0};
    char path[PATH_MAX];

    setenv("VQSIM_DATA", SOURCE_DIR, 1);
    ck_assert(data_dir_find("plots", NULL, path, sizeof path, &error));
    ck_assert_str_eq(path, SOURCE_DIR "/plots");
    ck_assert(data_dir_find("plots", "/", path, sizeof path, &error));
    ck_assert_str_eq(path, "/");
    ck_assert(!data_dir_find("plots", "/no such folder", path, sizeof path, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.source, "/no such folder");
}
END_TEST

/* Plots of variants, choices, depth and arrays, which report.sql has not: two tests below draw
 * them. */
static bool is_in(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Held by test_host_plots.sh. */
static bool is_of_the_host(const char *name)
{
    static const char *const names[] = {"completion_delay", "fires_by_moderation", "host_by_policy",
                                        "ping_by_weight",   "stall_timeline",      "zerocopy_break_even",
                                        "zerocopy_moves"};

    return is_in(name, names, sizeof names / sizeof names[0]);
}

static bool needs_another_store(const char *name)
{
    static const char *const names[] = {"compare_variants", "gain_by_allocator", "gain_by_depth",
                                        "gain_by_kernel",   "gain_by_placement", "odd_even"};

    return is_of_the_host(name) || is_in(name, names, sizeof names / sizeof names[0]);
}

START_TEST(report_draws_every_shipped_plot)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    bool made = fixture_report(&f, SHIPPED_PLOTS, &report, &error);
    ck_assert_msg(made, "%s", error.text);
    ck_assert_uint_ge(report.drawn, 10);
    for (size_t i = 0; i < report.plots.count; i++) {
        const struct plot *plot = &report.plots.list[i];
        char name[300];

        if (plot->state == PLOT_EMPTY && needs_another_store(plot->name)) {
            continue;
        }
        ck_assert_msg(plot->state == PLOT_DRAWN, "%s: %s", plot->name, plot->reason);
        ck_assert_msg(plot->reason[0] == '\0', "%s: gnuplot said %s", plot->name, plot->reason);
        ck_assert_msg(plot->title[0] && plot->question[0] && plot->caption, "%s", plot->name);
        ck_assert_uint_lt((size_t)plot->order, 1000);
        for (size_t k = 0; k < 3; k++) {
            static const char *const endings[] = {"dat", "gp", "svg"};

            snprintf(name, sizeof name, "%s.%s", plot->name, endings[k]);
            ck_assert_msg(fixture_has(f.out, name), "%s", name);
        }
    }
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_draws_choices_depth_and_arrays_where_they_are_axes)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    fixture_exec(
        &f, "UPDATE axis SET path = 'kernel' WHERE path = 'case';"
            "INSERT INTO axis SELECT c.id, p.column1, p.column2, NULL, p.column3 FROM config c,"
            " (VALUES ('guest.slab.profile', 'plain', 2), ('host.placement', 'smt', 3),"
            " ('host.backend.latency', '1us', 4)) p WHERE c.scenario_id = 1;"
            "UPDATE axis SET value = '17', number = 17 WHERE number = 18;"
            "UPDATE param SET value = 'v3' WHERE path = 'guest.desc_cache.variant';"
            "INSERT INTO metric SELECT id, 'in_flight_max', 9 FROM result;");
    ck_assert_msg(fixture_report(&f, SHIPPED_PLOTS, &report, &error), "%s", error.text);
    for (size_t i = 0; i < report.plots.count; i++) {
        const struct plot *plot = &report.plots.list[i];

        ck_assert_msg(plot->state == PLOT_DRAWN || is_of_the_host(plot->name) ||
                          strcmp(plot->name, "compare_variants") == 0,
                      "%s: %s", plot->name, plot->reason);
        ck_assert_msg(plot->state != PLOT_DRAWN || plot->reason[0] == '\0', "%s: gnuplot said %s",
                      plot->name, plot->reason);
    }
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_draws_from_an_empty_query_nothing)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, false);
    ck_assert(!fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strncmp(error.text, "nothing to plot", 15) == 0, "%s", error.text);
    ck_assert_uint_eq(report.broken, 0); /* every query is valid against the schema */
    ck_assert(!fixture_has(f.folder, "out"));
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

/* The line of a plot's data that begins with `start`. */
static void expect_line(const char *data, const char *start)
{
    char line[200];

    snprintf(line, sizeof line, "\n%s", start);
    ck_assert_msg(strstr(data, line) != NULL, "no line '%s' in\n%s", start, data);
}

START_TEST(plot_of_mechanisms_adds_up_from_the_time_before_to_the_time_after)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    ck_assert_msg(fixture_report(&f, SHIPPED_PLOTS, &report, &error), "%s", error.text);
    const struct plot *plot = fixture_plot(&report, "saved_by_mechanism");
    ck_assert_uint_eq(plot->rows, 8);
    ck_assert_str_eq(plot->series[0], "xsk <n=\"2\">, thr 2 against 0");
    ck_assert_msg(strstr(plot->caption, "less than 0.1 % of the packet: udp & 'small'") != NULL,
                  "%s", plot->caption);
    char *data = fixture_read(f.out, "saved_by_mechanism.dat");
    expect_line(data, "-1 403.0 403.0 403.0 ");
    expect_line(data, "-2 403.0 363.0 -40.0 0.0 \"allocator\" 80.0");
    expect_line(data, "-3 363.0 347.0 -16.0 0.0 \"table lines, add\" 32.0");
    expect_line(data, "-4 347.0 348.0 1.0 0.0 \"table lines, reclaim\" -2.0");
    expect_line(data, "-5 348.0 352.0 4.0 0.0 \"pop and push\" -8.0");
    expect_line(data, "-6 352.0 352.0 0.0 0.0 \"ring lines\" ");
    expect_line(data, "-7 352.0 353.0 1.0 "); /* the rest, with what the difference wobbles */
    expect_line(data, "-8 353.0 353.0 353.0 ");
    free(data);
    report_close(&report);

    /* A store of a time without these metrics. */
    fixture_exec(&f, "DELETE FROM metric WHERE name = 'allocator_ns_per_packet'");
    ck_assert_msg(fixture_report(&f, SHIPPED_PLOTS, &report, &error), "%s", error.text);
    ck_assert_int_eq(fixture_plot(&report, "saved_by_mechanism")->state, PLOT_EMPTY);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_again_removes_pictures_that_are_no_longer_drawn)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    ck_assert(fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    report_close(&report);
    ck_assert(fixture_has(f.out, "gain_ns_by_thr.svg"));
    fixture_write(f.out, "mine.gp", "plot sin(x)\n");
    fixture_write(f.out, "mine.svg", "<svg/>");
    unlink(f.store);
    fixture_store_of(&f, "report_variants.sql");
    ck_assert(fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    ck_assert(fixture_has(f.out, "compare_variants.svg"));
    ck_assert(!fixture_has(f.out, "gain_ns_by_thr.svg"));
    ck_assert(!fixture_has(f.out, "gain_ns_by_thr.dat"));
    ck_assert(!fixture_has(f.out, "gain_ns_by_thr.gp"));
    ck_assert(fixture_has(f.out, "style.gp"));
    ck_assert(fixture_has(f.out, "mine.gp") && fixture_has(f.out, "mine.svg")); /* not ours */
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_leaves_no_empty_and_no_partial_file)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    ck_assert(fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    DIR *dir = opendir(f.out);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        struct stat st;
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", f.out, entry->d_name);
        ck_assert_int_eq(stat(path, &st), 0);
        ck_assert_msg(st.st_size > 0, "%s is empty", entry->d_name);
        ck_assert_msg(strstr(entry->d_name, ".part") == NULL, "%s is left", entry->d_name);
    }
    closedir(dir);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_again_gives_the_same_page)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    ck_assert(fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    char *first = fixture_read(f.out, "index.html");
    report_close(&report);
    setenv("DISPLAY", ":99", 1);
    setenv("GNUTERM", "wxt", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    ck_assert(fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    char *second = fixture_read(f.out, "index.html");
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_without_gnuplot_keeps_data_and_scripts)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    setenv("PATH", f.plots, 1);
    ck_assert(!fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    ck_assert_msg(strstr(error.text, "gnuplot not found") != NULL, "%s", error.text);
    ck_assert_msg(strstr(error.text, f.out) != NULL, "%s", error.text);
    ck_assert(fixture_has(f.out, "gain_ns_by_thr.dat"));
    ck_assert(fixture_has(f.out, "gain_ns_by_thr.gp"));
    ck_assert(!fixture_has(f.out, "index.html"));
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(report_refuses_what_is_no_store)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    ck_assert(!fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    report_close(&report);
    fixture_write(f.folder, "sto re.db",
                  "this is a text, not a database, and long enough to be read");
    ck_assert(!fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert(!fixture_has(f.folder, "out"));
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        html_text_leaves_no_markup,
        html_text_replaces_what_is_no_utf8,
        html_svg_keeps_ids_of_pictures_apart_and_text_as_it_is,
        data_dir_takes_the_given_folder_then_the_environment,
        report_draws_every_shipped_plot,
        report_draws_choices_depth_and_arrays_where_they_are_axes,
        report_draws_from_an_empty_query_nothing,
        plot_of_mechanisms_adds_up_from_the_time_before_to_the_time_after,
        report_again_removes_pictures_that_are_no_longer_drawn,
        report_leaves_no_empty_and_no_partial_file,
        report_again_gives_the_same_page,
        report_without_gnuplot_keeps_data_and_scripts,
        report_refuses_what_is_no_store,
        NULL,
    };

    return suite_run("report", cases);
}
