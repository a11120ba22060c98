/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page of a report says: names, answers, notes. */
#include "tests/study/report_fixture.h"
#include "tests/suite.h"

static void expect_in(const char *page, const char *text)
{
    ck_assert_msg(strstr(page, text) != NULL, "the page lacks: %s", text);
}

START_TEST(page_escapes_names_and_has_its_parts_in_order)
{
    static const char *const parts[] = {
        "<h1>Is &lt;script&gt;alert(1)&lt;/script&gt; größer &amp; &quot;better&quot;?</h1>",
        "class=\"answer\"",
        "The path of a packet",
        "What this cannot tell you",
        "<h2>Plots</h2>",
        "<h2>Configuration</h2>",
        "<h2>Warnings</h2>",
        "&lt;i&gt;is&lt;/i&gt; &amp; &quot;odd&quot;",
        "the &lt;i&gt;host&lt;/i&gt; sleeps",
        "<h2>Where this comes from</h2>",
        "18446744073709551615",
    };
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    ck_assert(fixture_report(&f, SHIPPED_PLOTS, &report, &error));
    char *page = fixture_read(f.out, "index.html");
    const char *from = page;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        from = strstr(from, parts[i]);
        ck_assert_msg(from != NULL, "missing or out of order: %s", parts[i]);
    }
    ck_assert_ptr_null(strstr(page, "<script"));
    ck_assert_ptr_null(strstr(page, "<b>\"sweep"));
    ck_assert_ptr_null(strstr(page, "http://www.w3.org/Graphics")); /* no DOCTYPE of a picture */
    ck_assert_ptr_null(strstr(page, "src="));                       /* nothing outside the file */
    expect_in(page, "xsk &lt;n=&quot;2&quot;&gt;");
    expect_in(page, "thr 2 saves 50.00&nbsp;&plusmn;&nbsp;0.34&nbsp;ns");
    expect_in(page, "thr 2..18 are a tie");
    expect_in(page, "never use a table");
    /* 264 bytes at the peak of the run, and 238 items of 32 bytes when the ring is full. */
    expect_in(page, "2 is enough for xsk &lt;n=&quot;2&quot;&gt;; udp");
    expect_in(page, "tables held 264 bytes at most in a run, bound of the cache 7.4 KiB");
    expect_in(page, "v1 and v2 never shrink");
    expect_in(page, "intervals at 90 % confidence");
    expect_in(page, "bands: 90 % confidence");
    ck_assert_ptr_null(strstr(page, "{level}"));
    ck_assert_ptr_null(strstr(page, "Note:"));
    expect_in(page, "a packet of n entries gains from threshold n on, for n = 2..4");
    /* Each path has its picture, the first one unfolded. */
    expect_in(page, "<details open><summary>xsk &lt;n=&quot;2&quot;&gt;: ");
    expect_in(page, "<details><summary>udp");
    /* Of swept entries one point: not the smallest packet, which takes no table. */
    expect_in(page, "<summary>heat, entries: 2: ");
    expect_in(page, "with packets of 2 entries at threshold 0");
    expect_in(page, "new_symbol");
    free(page);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(page_tells_of_older_sweeps_and_of_variants_that_set_the_axis)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store_of(&f, "report_variants.sql");
    ck_assert_msg(fixture_report(&f, SHIPPED_PLOTS, &report, &error), "%s", error.text);
    const struct plot *plot = fixture_plot(&report, "compare_variants");
    ck_assert_msg(plot->state == PLOT_DRAWN && plot->reason[0] == '\0', "%s", plot->reason);
    ck_assert_uint_eq(plot->rows, 16);
    ck_assert_int_eq(fixture_plot(&report, "gain_ns_by_thr")->state, PLOT_EMPTY);
    ck_assert_str_eq(fixture_plot(&report, "saved_by_mechanism")->series[0], "v1 against off");
    for (size_t i = 0; i < report.plots.count; i++) {
        ck_assert_str_eq(
            report.plots.list[i].state == PLOT_DRAWN ? report.plots.list[i].reason : "", "");
    }
    char *page = fixture_read(f.out, "index.html");
    expect_in(page, "2 sweeps of the scenario twice (seeds 1, 2): only the newest, with seed 2,");
    expect_in(page, "the sweep of guest.virtio_desc_cache_thr does not change ");
    expect_in(page,
              "other than the first (off) saves guest CPU time per packet on twice (best: v1 = "
              "v2, 12&nbsp;%); it costs time on twice (slow, 2.5&nbsp;%)");
    ck_assert_ptr_null(strstr(page, "saves nothing"));
    free(page);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(page_tells_where_a_larger_threshold_saves_less_and_why)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    /* Threshold 4 becomes items of 80 bytes, which lie 96 apart, and costs: on the path "xsk" and
     * with 3 entries in the map. */
    fixture_exec(&f, "UPDATE param SET value = '20' WHERE path = 'guest.bytes_per_sg';"
                     "UPDATE metric SET value = value + 80 WHERE name = 'guest_ns_per_packet'"
                     " AND run_id IN (SELECT r.id FROM run r JOIN axis t USING (config_id)"
                     " JOIN axis c USING (config_id) WHERE t.path LIKE '%thr' AND t.number = 4"
                     " AND (c.value LIKE 'xsk%' OR c.path = 'workload.frags' AND c.number = 2));"
                     "INSERT INTO metric SELECT id, 'driver_ns_per_packet', 400 FROM result;"
                     "INSERT INTO metric SELECT id, 'slab_slow_free_percent',"
                     " CASE WHEN id IN (SELECT r.id FROM run r JOIN axis c USING (config_id)"
                     " WHERE c.path = 'workload.frags' AND c.number = 3) THEN 80 ELSE 0 END"
                     " FROM result;");
    ck_assert_msg(fixture_report(&f, SHIPPED_PLOTS, &report, &error), "%s", error.text);
    const char *lines = fixture_plot(&report, "gain_ns_by_thr")->caption;
    const char *map = fixture_plot(&report, "heat_sg_thr")->caption;
    ck_assert_msg(strstr(lines, "Thresholds 4 save less than a smaller one") != NULL, "%s", lines);
    ck_assert_msg(strstr(map, "From 4 entries on the picture changes") != NULL, "%s", map);
    ck_assert_msg(strstr(map, "80 % of the frees of tables take its slow path (3 entries: 0 %)"),
                  "%s", map);
    ck_assert_msg(strstr(map, "the percentages are upper bounds") != NULL, "%s", map);
    char *page = fixture_read(f.out, "index.html");
    expect_in(page, "it costs time on xsk &lt;n=&quot;2&quot;&gt; (threshold 4, 7.4&nbsp;%)");
    expect_in(page, "for n = 2, 4 (9.9&nbsp;% of the packet); at no threshold for n = 3.");
    free(page);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

START_TEST(page_tells_where_the_sender_is_faster_than_the_path)
{
    struct fixture f;
    struct report report;
    struct error error;

    fixture_init(&f);
    fixture_store(&f, true);
    /* Threshold 0 drops on the path "xsk"; the path "udp" drops nothing and keeps the backend busy
     * at each of its five. */
    fixture_exec(&f, "INSERT INTO metric SELECT r.id, 'drops_per_s', (t.number = 0"
                     " AND c.value LIKE 'xsk%') * (12000 + r.replication) FROM run r"
                     " JOIN axis t USING (config_id) JOIN axis c USING (config_id)"
                     " WHERE t.path LIKE '%thr' AND c.path = 'case';"
                     "INSERT INTO metric SELECT r.id, 'host_work_percent', CASE WHEN c.value LIKE"
                     " 'udp%' THEN 99.5 ELSE 97.5 END FROM run r JOIN axis c USING (config_id)"
                     " WHERE c.path = 'case';");
    ck_assert_msg(fixture_report(&f, SHIPPED_PLOTS, &report, &error), "%s", error.text);
    char *page = fixture_read(f.out, "index.html");
    expect_in(page, "Overloaded: xsk &lt;n=&quot;2&quot;&gt; (1 of 5 points) drops up to 12 k "
                    "packets/s before the ring");
    expect_in(page,
              "The backend is the bottleneck on udp &amp; &#39;small&#39;_{x}\\n: what the guest");
    free(page);
    report_close(&report);
    fixture_fini(&f);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        page_escapes_names_and_has_its_parts_in_order,
        page_tells_of_older_sweeps_and_of_variants_that_set_the_axis,
        page_tells_where_a_larger_threshold_saves_less_and_why,
        page_tells_where_the_sender_is_faster_than_the_path,
        NULL,
    };

    return suite_run("report page", cases);
}
