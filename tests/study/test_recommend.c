/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judgements on made-up replications, and reading from a store of a real sweep. */
#include "sim/study/recommend.h"

#include "sim/study/experiment.h"
#include "tests/study/store_fixture.h"

#define VALUE(text, bytes, ...)                                                                    \
    {                                                                                              \
        .name = text, .ns = (double[]){__VA_ARGS__}, .n = 3, .cost_bytes = bytes                   \
    }

static void judge(struct recommend_case *c, struct recommend_value *values, size_t count)
{
    *c = (struct recommend_case){.values = values, .count = count};
    recommend_judge(c, RECOMMEND_TOLERANCE_PERCENT);
}

START_TEST(cheapest_of_those_within_the_tolerance_is_recommended)
{
    struct recommend_value values[] = {VALUE("0", 100, 1010, 1011, 1012),
                                       VALUE("4", 400, 1000.5, 1001.4, 1002.6),
                                       VALUE("18", 900, 1000, 1001, 1002)};
    struct recommend_case c;

    judge(&c, values, 3);
    ck_assert_uint_eq(c.best, 2);
    ck_assert_uint_eq(c.recommended, 1);
    ck_assert_int_eq(values[0].verdict, RECOMMEND_WORSE);
    ck_assert_int_eq(values[1].verdict, RECOMMEND_TIE);
    ck_assert_double_eq_tol(values[0].regret_percent, 100 * 10.0 / 1001, 1e-9);
}
END_TEST

START_TEST(pairs_that_disagree_are_undecided)
{
    struct recommend_value values[] = {VALUE("0", 100, 1010, 1000, 1000),
                                       VALUE("4", 400, 1000, 1001, 1002)};
    struct recommend_case c;

    judge(&c, values, 2);
    ck_assert_int_eq(values[0].verdict, RECOMMEND_UNDECIDED);
    ck_assert_uint_eq(c.recommended, 1);
}
END_TEST

START_TEST(one_replication_decides_nothing)
{
    struct recommend_value values[] = {VALUE("0", 100, 1000), VALUE("4", 400, 900)};
    struct recommend_case c;

    values[0].n = values[1].n = 1;
    judge(&c, values, 2);
    ck_assert_int_eq(values[0].verdict, RECOMMEND_UNDECIDED);
    ck_assert_int_eq(values[1].verdict, RECOMMEND_BEST);
}
END_TEST

START_TEST(equal_costs_take_the_first)
{
    struct recommend_value values[] = {VALUE("2", 100, 1000, 1001, 1002),
                                       VALUE("3", 100, 1000, 1001, 1002)};
    struct recommend_case c;

    judge(&c, values, 2);
    ck_assert_uint_eq(c.recommended, 0);
    ck_assert_int_eq(values[1].verdict, RECOMMEND_TIE);
}
END_TEST

static struct store *swept(const char *more)
{
    struct scenario *scenario = tiny_scenario(more);
    struct store *store = open_store(NULL);
    struct experiment_options options = {.threads = 1};
    struct experiment experiment;
    struct problems problems;
    struct error error = {0};

    problems_init(&problems);
    ck_assert_msg(experiment_run(&experiment, scenario, store, &options, &problems, &error), "%s",
                  error.text);
    experiment_fini(&experiment);
    problems_fini(&problems);
    scenario_free(scenario);
    return store;
}

START_TEST(variants_are_compared_where_there_is_no_axis)
{
    struct store *store = swept("");
    struct error error = {0};
    struct recommend r;

    ck_assert_msg(recommend_read(&r, store, 0, NULL, 0.1, &error), "%s", error.text);
    ck_assert_str_eq(r.parameter, "variant");
    ck_assert_uint_eq(r.count, 1);
    ck_assert_uint_eq(r.overall.count, 2);
    ck_assert_str_eq(r.overall.values[r.overall.recommended].name, "cache");
    ck_assert_int_eq(r.overall.values[0].verdict, RECOMMEND_WORSE);
    recommend_free(&r);
    store_close(store);
}
END_TEST

START_TEST(axis_values_and_rival_variants_stand_in_one_table)
{
    struct store *store = swept(TINY_AXIS);
    struct error error = {0};
    struct recommend r;

    ck_assert_msg(recommend_read(&r, store, 0, "size", 0.1, &error), "%s", error.text);
    ck_assert_str_eq(r.parameter, "guest.tx_ring.size");
    ck_assert_uint_eq(r.cases[0].count, 6);
    ck_assert_str_eq(r.cases[0].values[0].name, "64");
    ck_assert_str_eq(r.cases[0].values[3].name, "cache 64");
    ck_assert_uint_eq(r.cases[0].values[5].n, 3);
    recommend_free(&r);
    store_close(store);
}
END_TEST

START_TEST(variants_are_compared_within_each_point)
{
    struct store *store = swept(TINY_AXIS);
    struct error error = {0};
    struct recommend r;

    ck_assert_msg(recommend_read(&r, store, 0, "variant", 0.1, &error), "%s", error.text);
    ck_assert_uint_eq(r.count, 3);
    ck_assert_uint_eq(r.cases[2].count, 2);
    recommend_free(&r);
    store_close(store);
}
END_TEST

START_TEST(unknown_parameter_is_refused_with_what_there_is)
{
    struct store *store = swept(TINY_AXIS);
    struct error error = {0};
    struct recommend r;

    ck_assert(!recommend_read(&r, store, 0, "nothing", 0.1, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.text, "no axis of this store; there are: guest.tx_ring.size");
    recommend_free(&r);
    store_close(store);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {cheapest_of_those_within_the_tolerance_is_recommended,
                            pairs_that_disagree_are_undecided,
                            one_replication_decides_nothing,
                            equal_costs_take_the_first,
                            variants_are_compared_where_there_is_no_axis,
                            axis_values_and_rival_variants_stand_in_one_table,
                            variants_are_compared_within_each_point,
                            unknown_parameter_is_refused_with_what_there_is,
                            NULL};

    return suite_run("recommend", cases);
}
