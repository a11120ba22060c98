/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/store.h"

#include <float.h>

#include "tests/study/store_fixture.h"

static const struct problems none = {0};

/* A result that holds something in every table, different for every k. */
static struct run_result *made_up(uint32_t k)
{
    struct run_result *r = run_result_new();

    ck_assert_ptr_nonnull(r);
    for (int i = 0; i < METRIC_COUNT; i++) {
        r->metric[i] = 1.0 / (3 + (double)k + i);
    }
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        r->symbol_ns_per_packet[i] = k + 0.1 * i;
    }
    r->metric[METRIC_DROPS] = NAN;
    r->histogram[0].name = "in_flight";
    r->histogram[0].unit = "packets";
    r->histogram[0].scale = 1;
    histogram_clear(&r->histogram[0].data);
    histogram_add(&r->histogram[0].data, 5, 2);
    histogram_add(&r->histogram[0].data, 1000, 1);
    series_init(&r->series[0], "depth", SIM_MS, SIM_US);
    for (int i = 0; i < 1000; i++) {
        series_add(&r->series[0], SIM_MS + i * SIM_US, i);
    }
    r->packets = 7;
    r->steps = 99;
    r->fingerprint = UINT64_C(0xfedcba9876543210) + k;
    r->suggested_warmup_us = NAN;
    return r;
}

static void put(struct store *store, int64_t config, uint32_t replication)
{
    struct error error = {0};
    struct run_result *r = made_up(replication);
    struct run_id id = {.seed = UINT64_MAX, .replication = replication};

    ck_assert_msg(store_put_run(store, config, &id, r, 0.5, &error), "%s", error.text);
    run_result_free(r);
}

static int64_t first_config(struct store *store, const struct scenario *scenario)
{
    struct error error = {0};
    int64_t id = store_scenario(store, scenario, &none, &error);
    int64_t config = store_config(store, id, scenario, 0, 0, &error);

    ck_assert_msg(config > 0, "%s", error.text);
    return config;
}

START_TEST(store_gives_back_every_double_exactly)
{
    static const double hard[] = {
        DBL_MIN, DBL_MAX, DBL_TRUE_MIN, 1.0 / 3, -0.1, 9007199254740993.0, 0x1.fffffffffffffp-1};
    struct scenario *scenario = tiny_scenario("");
    struct store *store = open_store(NULL);
    int64_t config = first_config(store, scenario);
    struct run_result *r = made_up(0);
    struct run_id id = {.replication = 0};
    struct error error = {0};
    double back[METRIC_COUNT];

    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        r->metric[i] = hard[i];
    }
    r->metric[METRIC_HUNG] = INFINITY;
    ck_assert(!store_has_run(store, config, 0));
    ck_assert(!store_read_metrics(store, config, 0, back));
    ck_assert(store_put_run(store, config, &id, r, 0, &error));
    ck_assert(store_has_run(store, config, 0));
    ck_assert(!store_has_run(store, config, 1));
    ck_assert(store_read_metrics(store, config, 0, back));
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (i == METRIC_DROPS || i == METRIC_HUNG) {
            ck_assert(isnan(back[i])); /* not finite is NULL */
        } else {
            ck_assert(memcmp(&back[i], &r->metric[i], sizeof back[i]) == 0);
        }
    }
    run_result_free(r);
    store_close(store);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_keeps_unsigned_seeds_and_fingerprints_exact)
{
    struct scenario *scenario = tiny_scenario("");
    struct store *store = open_store(NULL);
    char answer[200];

    put(store, first_config(store, scenario), 0);
    ck_assert_str_eq(ask(store, "SELECT seed FROM run", answer), "18446744073709551615");
    ck_assert_str_eq(ask(store, "SELECT fingerprint FROM run", answer), "fedcba9876543210");
    ck_assert_str_eq(ask(store, "SELECT value FROM param WHERE path = 'seed'", answer),
                     "9007199254740993");
    store_close(store);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_keeps_all_parameters_and_axes)
{
    struct scenario *scenario = tiny_scenario(TINY_AXIS);
    struct store *store = open_store(NULL);
    char answer[200], count[24];

    first_config(store, scenario);
    snprintf(count, sizeof count, "%zu", param_count(&config_schema));
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM param", answer), count);
    ck_assert_str_eq(
        ask(store, "SELECT value FROM param WHERE path = 'guest.tx_ring.size'", answer), "64");
    ck_assert_str_eq(
        ask(store, "SELECT number FROM axis WHERE path = 'guest.tx_ring.size'", answer), "64.0");
    ck_assert_str_eq(ask(store, "SELECT point FROM config", answer), "guest.tx_ring.size=64");
    store_close(store);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_keeps_series_of_the_first_replication_in_few_points)
{
    struct scenario *scenario = tiny_scenario("");
    struct store *store = open_store(NULL);
    int64_t config = first_config(store, scenario);
    char answer[200];

    put(store, config, 0);
    put(store, config, 1);
    ck_assert_str_eq(ask(store, "SELECT count(DISTINCT run_id) FROM series", answer), "1");
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM series", answer), "250");
    ck_assert_str_eq(ask(store,
                         "SELECT t_us || ' ' || mean || ' ' || least || ' ' || most FROM series "
                         "ORDER BY t_us LIMIT 1 OFFSET 1",
                         answer),
                     "1004.0 5.5 4.0 7.0");
    ck_assert_str_eq(ask(store, "SELECT sum(count) FROM histogram WHERE run_id = 2", answer), "3");
    store_close(store);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_finds_scenarios_and_configurations_again)
{
    struct scenario *scenario = tiny_scenario(TINY_AXIS);
    struct store *store = open_store(NULL);
    struct error error = {0};
    int64_t id = store_scenario(store, scenario, &none, &error);
    int64_t a = store_config(store, id, scenario, 0, 0, &error);
    int64_t b = store_config(store, id, scenario, 0, 1, &error);
    char answer[200];

    ck_assert_int_ne(a, b);
    ck_assert_int_eq(store_scenario(store, scenario, &none, &error), id);
    ck_assert_int_eq(store_config(store, id, scenario, 0, 0, &error), a);
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM config", answer), "2");
    store_close(store);
    scenario_free(scenario);
}
END_TEST

/* The same text with a longer axis is the same scenario; another setting makes another one, which
 * shares no runs, and another name one that shares all. */
START_TEST(store_shares_runs_by_identity)
{
    struct scenario *one = tiny_scenario(TINY_AXIS);
    struct scenario *two = tiny_scenario(TINY_AXIS ", \"question\": \"Why?\"");
    struct scenario *other = tiny_scenario(TINY_AXIS ", \"kernel\": \"5.15\"");
    struct store *store = open_store(NULL);
    int64_t a = first_config(store, one), b, c;
    char answer[200];

    put(store, a, 0);
    b = first_config(store, two);
    c = first_config(store, other);
    ck_assert_int_ne(a, b);
    ck_assert(store_has_run(store, b, 0));
    ck_assert(!store_has_run(store, c, 0));
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM scenario", answer), "3");
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM result", answer), "1");
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM run", answer), "2");
    store_close(store);
    scenario_free(one);
    scenario_free(two);
    scenario_free(other);
}
END_TEST

START_TEST(store_takes_what_does_not_make_the_identity_anew)
{
    struct scenario *scenario = tiny_scenario("");
    struct scenario_options options = {.set = (const char *const[]){"replications=9"},
                                       .set_count = 1};
    struct problems problems;
    struct store *store = open_store(NULL);
    struct scenario *more;
    char answer[200], text[4096];
    int64_t a = first_config(store, scenario);

    snprintf(text, sizeof text, TINY, "");
    problems_init(&problems);
    more = scenario_open_text("tiny.json", text, strlen(text), &options, &problems);
    ck_assert_ptr_nonnull(more);
    ck_assert_int_eq(first_config(store, more), a);
    ck_assert_str_eq(ask(store, "SELECT value FROM param WHERE path = 'replications'", answer),
                     "9");
    problems_fini(&problems);
    store_close(store);
    scenario_free(scenario);
    scenario_free(more);
}
END_TEST

START_TEST(store_leaves_a_run_alone_and_refuses_another_result_for_it)
{
    struct scenario *scenario = tiny_scenario("");
    struct store *store = open_store(NULL);
    int64_t config = first_config(store, scenario);
    struct run_result *r = made_up(0);
    struct run_id id = {.seed = UINT64_MAX};
    struct error error = {0};
    char answer[200];

    put(store, config, 0);
    put(store, config, 0);
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM run", answer), "1");
    r->fingerprint++;
    ck_assert(!store_put_run(store, config, &id, r, 0, &error));
    ck_assert_int_eq(error.kind, ERROR_DIFFERS);
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM run", answer), "1");
    run_result_free(r);
    store_close(store);
    scenario_free(scenario);
}
END_TEST

/* Rows go in in another order: the export must not show it. */
START_TEST(store_export_does_not_depend_on_the_order_of_runs)
{
    struct scenario *scenario = tiny_scenario(TINY_AXIS);
    struct store *forth = open_store(NULL), *back = open_store(NULL);
    struct error error = {0};
    int64_t f = store_scenario(forth, scenario, &none, &error);
    int64_t b = store_scenario(back, scenario, &none, &error);

    for (uint32_t i = 0; i < 18; i++) {
        uint32_t k = 17 - i;

        put(forth, store_config(forth, f, scenario, i % 3, i / 3 % 2, &error), i / 6);
        put(back, store_config(back, b, scenario, k % 3, k / 3 % 2, &error), k / 6);
    }
    for (int format = STORE_CSV; format <= STORE_JSON; format++) {
        char *one = exported(forth, (enum store_format)format);
        char *two = exported(back, (enum store_format)format);

        ck_assert_str_eq(one, two);
        ck_assert_ptr_null(strstr(one, "nan"));
        ck_assert_ptr_null(strstr(one, "wall"));
        free(one);
        free(two);
    }
    store_close(forth);
    store_close(back);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_export_quotes_what_csv_must_quote)
{
    struct scenario *scenario = tiny_scenario("");
    struct store *store = open_store(NULL);
    int64_t config = first_config(store, scenario);
    struct run_result *r = made_up(0);
    struct run_id id = {0};
    struct error error = {0};
    char *text;

    snprintf(r->hung_why, sizeof r->hung_why, "guest: \"waits\", and host");
    ck_assert(store_put_run(store, config, &id, r, 0, &error));
    text = exported(store, STORE_CSV);
    ck_assert_ptr_nonnull(strstr(text, ",\"guest: \"\"waits\"\", and host\","));
    free(text);
    run_result_free(r);
    store_close(store);
    scenario_free(scenario);
}
END_TEST

START_TEST(store_query_knows_the_statistics_of_plots)
{
    struct store *store = open_store(NULL);
    char answer[200];

    /* t(0.975, 4) = 2.776445 (tables); stdev of 1..5 is sqrt(2.5) */
    ck_assert_str_eq(ask(store, "SELECT round(t_quantile(0.95, 5), 6)", answer), "2.776445");
    ck_assert_str_eq(ask(store, "SELECT t_quantile(0.95, 1)", answer), "NULL");
    ck_assert_str_eq(
        ask(store, "SELECT round(stdev(column1), 9) FROM (VALUES(1), (2), (3), (4), (5))", answer),
        "1.58113883");
    ck_assert_str_eq(
        ask(store,
            "SELECT round(half_width(column1), 6) FROM (VALUES(1), (2), (3), (4), (5), (NULL))",
            answer),
        "1.963243");
    ck_assert_str_eq(ask(store, "SELECT half_width(column1) FROM (VALUES(1))", answer), "NULL");
    ck_assert_str_eq(ask(store, "SELECT stdev(value) FROM metric", answer), "NULL");
    store_close(store);
}
END_TEST

START_TEST(store_query_takes_one_reading_statement)
{
    static const char *const refused[] = {"DELETE FROM run", "SELECT 1; SELECT 2", "", "-- nothing",
                                          "SELECT nothing FROM nowhere"};
    struct store *store = open_store(NULL);
    char answer[200];

    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct error error = {0};

        ck_assert(!store_query(store, refused[i], take_text, answer, &error));
        ck_assert_int_eq(error.kind, ERROR_INPUT);
    }
    ck_assert_str_eq(ask(store, "SELECT 7; -- the end\n", answer), "7");
    store_close(store);
}
END_TEST

START_TEST(store_refuses_runs_of_another_revision)
{
    struct scenario *scenario = tiny_scenario("");
    struct folder folder;
    struct error error = {0};
    struct store *store;
    char command[600];

    folder_init(&folder);
    store = open_store(folder.store);
    put(store, first_config(store, scenario), 0);
    ck_assert(store_check_revision(store, &error));
    store_close(store);
    snprintf(command, sizeof command, "sqlite3 '%s' 'UPDATE result SET revision = %d'",
             folder.store, MODEL_REVISION + 1);
    ck_assert_int_eq(system(command), 0);
    store = open_store(folder.store);
    ck_assert(!store_check_revision(store, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_ptr_nonnull(strstr(error.text, "--force"));
    store_close(store);
    folder_fini(&folder);
    scenario_free(scenario);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {store_gives_back_every_double_exactly,
                            store_keeps_unsigned_seeds_and_fingerprints_exact,
                            store_keeps_all_parameters_and_axes,
                            store_keeps_series_of_the_first_replication_in_few_points,
                            store_finds_scenarios_and_configurations_again,
                            store_shares_runs_by_identity,
                            store_takes_what_does_not_make_the_identity_anew,
                            store_leaves_a_run_alone_and_refuses_another_result_for_it,
                            store_export_does_not_depend_on_the_order_of_runs,
                            store_export_quotes_what_csv_must_quote,
                            store_query_knows_the_statistics_of_plots,
                            store_query_takes_one_reading_statement,
                            store_refuses_runs_of_another_revision,
                            NULL};

    return suite_run("store", cases);
}
