/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/scenario.h"

#include <time.h>

#include "tests/study/scenario_text.h"

/* Opens a text that must be refused, or (warning) accepted with that warning. */
static void check_problem(const char *text, const struct scenario_options *options, bool warning,
                          const char *message)
{
    struct problems problems;
    struct scenario *s;
    bool found = false;

    problems_init(&problems);
    s = scenario_open_text("here.json", text, strlen(text), options, &problems);
    ck_assert_msg((s != NULL) == warning, "%s", text);
    for (size_t i = 0; i < problems.count; i++) {
        char line[1200];

        error_format(&problems.list[i].error, problems.list[i].warning ? "warning" : "error", line,
                     sizeof line);
        found = found || (problems.list[i].warning == warning && strstr(line, message));
    }
    ck_assert_msg(found, "%s: %s", text, problems.count ? problems.list[0].error.text : "nothing");
    scenario_free(s);
    problems_fini(&problems);
}

START_TEST(scenario_has_one_point_and_the_variant_base_when_nothing_is_said)
{
    struct scenario *s = open_text(HEAD "}", &plain);
    struct config *c = config_of(s, 0, 0);

    ck_assert_uint_eq(scenario_point_count(s), 1);
    ck_assert_uint_eq(scenario_axis_count(s), 0);
    ck_assert_uint_eq(scenario_variant_count(s), 1);
    ck_assert_str_eq(scenario_variant_name(s, 0), "base");
    ck_assert_str_eq(scenario_name(s), "here"); /* of the file */
    ck_assert_str_eq(c->study.name, "here");
    ck_assert_uint_eq(c->study.seed, 1);
    ck_assert_int_eq(c->study.duration, 20 * SIM_MS);
    ck_assert_int_eq(c->study.warmup, 2 * SIM_MS);
    ck_assert_uint_eq(c->study.replications, 8);
    ck_assert_uint_eq(c->study.most_replications, 100);
    ck_assert_double_eq(c->study.confidence, 0.95);
    ck_assert_double_eq(c->study.relative_precision, 0);
    ck_assert_double_eq(c->datapath.workload.rate_pps, 1e5);
    free(c);
    scenario_free(s);
}
END_TEST

START_TEST(scenario_lets_the_later_layer_win)
{
    static const char *const set[] = {"guest.tx_ring.size=1024", "virtio_desc_cache_thr=9"};
    const struct scenario_options options = {.set = set, .set_count = 2};
    struct scenario *s = open_text(
        HEAD ", \"guest\": {\"tx_ring\": {\"size\": 512}, \"virtio_desc_cache_thr\": 5},"
             "\"kernel\": \"6.11\","
             "\"cases\": {\"a\": {\"guest.virtio_desc_cache_thr\": 10}, \"b\": {\"seed\": 7}},"
             "\"sweep\": {\"guest.virtio_desc_cache_thr\": [11, 12]},"
             "\"variants\": {\"v\": {}, \"w\": {\"guest.virtio_desc_cache_thr\": 13}}}",
        &options);
    struct config *c = config_of(s, 0, 0);

    ck_assert_uint_eq(scenario_point_count(s), 4);
    ck_assert_uint_eq(c->datapath.tx_ring.size, 1024); /* --set over file */
    ck_assert_uint_eq(c->datapath.desc_cache.thr, 11); /* axis over case over --set */
    ck_assert(c->datapath.kernel.bql);                 /* preset over default */
    free(c);
    c = config_of(s, 3, 1);
    ck_assert_uint_eq(c->datapath.desc_cache.thr, 13); /* variant over axis */
    ck_assert_uint_eq(c->study.seed, 7);
    free(c);
    scenario_free(s);
}
END_TEST

START_TEST(scenario_presets_follow_the_choice_and_yield_to_settings)
{
    struct scenario *s =
        open_text(HEAD ", \"guest.bql\": true, \"sweep\": {\"kernel\": [\"6.1\", \"6.15\"]},"
                       "\"variants\": {\"a\": {}, \"b\": {\"kernel\": \"6.13\"}}}",
                  &plain);
    struct config *c = config_of(s, 0, 0);

    ck_assert(c->datapath.kernel.bql); /* set, although 6.1 has it not */
    ck_assert(c->datapath.kernel.reclaim_in_xmit && !c->datapath.kernel.arm_after_kick);
    free(c);
    c = config_of(s, 1, 0);
    ck_assert(!c->datapath.kernel.reclaim_in_xmit && c->datapath.kernel.arm_after_kick);
    free(c);
    c = config_of(s, 1, 1); /* the variant's choice is in force, not the axis' */
    ck_assert(c->datapath.kernel.reclaim_in_xmit && !c->datapath.kernel.arm_after_kick);
    free(c);
    scenario_free(s);
}
END_TEST

static void check_point(const struct scenario *s, size_t point, const char *expected)
{
    char text[300] = "";

    for (size_t i = 0; i < scenario_axis_count(s); i++) {
        size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%s=%s", i ? " " : "", scenario_axis_path(s, i),
                 scenario_point_value(s, point, i));
    }
    ck_assert_str_eq(text, expected);
}

START_TEST(scenario_points_change_the_last_axis_fastest)
{
    struct scenario *s = open_text(HEAD ", \"cases\": {\"x\": {}, \"y\": {}},"
                                        "\"sweep\": {\"seed\": \"1..3\"}}",
                                   &plain);

    ck_assert_uint_eq(scenario_point_count(s), 6);
    check_point(s, 0, "case=x seed=1");
    check_point(s, 1, "case=x seed=2");
    check_point(s, 3, "case=y seed=1");
    check_point(s, 5, "case=y seed=3");
    scenario_free(s);
}
END_TEST

START_TEST(scenario_zipped_axes_are_one_dimension)
{
    struct scenario *s =
        open_text(HEAD ", \"sweep\": {\"guest.virtio_desc_cache_thr\": [0, 4]},"
                       "\"sweep_zip\": {\"guest.tx_ring.size\": [256, 512, 256], \"workload.rate\":"
                       "\"10kpps..30kpps step 10kpps\"}}",
                  &plain);
    struct config *c = config_of(s, 5, 0);

    ck_assert_uint_eq(scenario_point_count(s), 6);
    check_point(s, 0, "guest.virtio_desc_cache_thr=0 guest.tx_ring.size=256 workload.rate=10kpps");
    check_point(s, 2, "guest.virtio_desc_cache_thr=0 guest.tx_ring.size=256 workload.rate=30kpps");
    check_point(s, 4, "guest.virtio_desc_cache_thr=4 guest.tx_ring.size=512 workload.rate=20kpps");
    ck_assert_uint_eq(c->datapath.tx_ring.size, 256);
    ck_assert_double_eq(c->datapath.workload.rate_pps, 3e4);
    free(c);
    scenario_free(s);
}
END_TEST

START_TEST(scenario_vary_adds_and_replaces_axes)
{
    static const char *const vary[] = {"virtio_desc_cache_thr=0..4 step 2", "kernel=6.1,6.11",
                                       "workload.size=[64, {\"uniform\": [64, 1500]}]",
                                       "guest.napi_tx=true,false"};
    const struct scenario_options options = {.vary = vary, .vary_count = 4};
    struct scenario *s =
        open_text(HEAD ", \"sweep\": {\"guest.virtio_desc_cache_thr\": [1, 2]}}", &options);

    ck_assert_uint_eq(scenario_axis_count(s), 4);
    ck_assert_uint_eq(scenario_point_count(s), 24);
    check_point(s, 23,
                "guest.virtio_desc_cache_thr=4 kernel=6.11 workload.size={\"uniform\": [64, "
                "1500]} guest.napi_tx=false");
    scenario_free(s);
}
END_TEST

START_TEST(scenario_without_axes_keeps_the_cases)
{
    const struct scenario_options options = {.without_axes = true};
    struct scenario *s = open_text(HEAD ", \"cases\": {\"x\": {}, \"y\": {}},"
                                        "\"sweep\": {\"seed\": \"1..3\"}}",
                                   &options);

    ck_assert_uint_eq(scenario_point_count(s), 2);
    check_point(s, 1, "case=y");
    scenario_free(s);
}
END_TEST

START_TEST(scenario_keeps_the_cases_that_are_asked_for)
{
    static const char *const asked[] = {"z", "y"};
    const struct scenario_options options = {.cases = asked, .case_count = 2};
    /* queue has an effect in x only, and that is no finding */
    static const char text[] =
        HEAD ", \"workload.queue\": 10, \"cases\": {\"x\": {}, \"y\": {\"workload.type\": \"saturating\"},"
             "\"z\": {\"workload.type\": \"saturating\"}},"
             "\"sweep\": {\"seed\": \"1..3\"},"
             "\"expect\": [\"hung==0\", \"case=x: tx_pps > 1\", \"case=z: tx_pps > 2\"]}";
    struct scenario *s = open_text(text, &options), *all = open_text(text, &plain);
    struct config *first = config_of(all, 0, 0), *known_by = config_of(s, 0, 0);

    ck_assert_uint_eq(scenario_point_count(s), 6);
    check_point(s, 0, "case=y seed=1");
    check_point(s, 5, "case=z seed=3");
    for (size_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(scenario_point_number(s, i), i + 3);
        ck_assert_uint_eq(scenario_point_number(all, i), i);
    }
    ck_assert_uint_eq(scenario_expect_count(s), 2);
    ck_assert_str_eq(scenario_expect(s, 1)->filter_value, "z");
    ck_assert_int_ne(first->datapath.workload.type, known_by->datapath.workload.type);
    scenario_first_config(s, known_by);
    ck_assert_mem_eq(first, known_by, sizeof *first);
    free(first);
    free(known_by);
    scenario_free(s);
    scenario_free(all);
}
END_TEST

START_TEST(scenario_set_takes_what_a_file_takes)
{
    static const char *const set[] = {
        "seed=18446744073709551615",
        "napi_tx=false",
        "name=42",
        "duration=1.5 ms",
        "kernel=6.1",
        "workload.frags={\"uniform\": [1, 17]}",
        "workload.mix=[{\"weight\": 1, \"size\": 64, \"frags\": 2}]",
        "costs.slab.kmalloc={\"value\": \"19ns\", \"status\": \"guess\"}"};
    const struct scenario_options options = {.set = set, .set_count = sizeof set / sizeof set[0]};
    struct scenario *s = open_text(HEAD "}", &options);
    struct config *c = config_of(s, 0, 0);

    ck_assert_uint_eq(c->study.seed, UINT64_MAX);
    ck_assert(!c->datapath.guest.napi_tx);
    ck_assert_str_eq(scenario_name(s), "42");
    ck_assert_int_eq(c->study.duration, 1500 * SIM_US);
    ck_assert(c->datapath.workload.frags.kind == DIST_UNIFORM);
    ck_assert(c->datapath.workload.mix_count == 1 && c->datapath.workload.mix[0].frags == 2);
    free(c);
    scenario_free(s);
}
END_TEST

static void check_set(const char *set, const char *message)
{
    const struct scenario_options options = {.set = &set, .set_count = 1};

    check_problem(HEAD "}", &options, false, message);
}

START_TEST(scenario_set_is_refused_like_a_file)
{
    check_set("guest.tx_ring.size=65536", "vqsim: error: guest.tx_ring.size: 65536 is larger than");
    check_set("guest.virtio_desc_cahe_thr=4", "did you mean virtio_desc_cache_thr?");
    check_set("size=4", "3 parameters end in this: workload.size, guest.tx_ring.size, guest.rx_ring.size; write");
    check_set("napi_tx=1", "expected true or false, got number 1");
    check_set("napi_tx=yes", "expected true or false, got string \"yes\"");
    check_set("seed=007", "expected integer, got string \"007\"");
    check_set("duration=200", "needs a unit");
    check_set("workload.flow=1", "workload.flow: not modelled yet");
    check_set("seed", "PATH=VALUE is needed");
    check_set("=4", "PATH=VALUE is needed");
    check_set("workload.size={\"uniform\": [200, 100]}", "uniform: low 200 > high 100");
    check_set("workload.size={\"uniform\": [2,", "unexpected end of file");
    check_set("seed=\x1b[1m", "\\u001b[1m");
}
END_TEST

static void check_vary(const char *vary, const char *message)
{
    const struct scenario_options options = {.vary = &vary, .vary_count = 1};

    check_problem(HEAD "}", &options, false, message);
}

START_TEST(scenario_vary_is_refused_like_a_sweep)
{
    check_vary("guest.virtio_desc_cache_threshold=0..4", "did you mean virtio_desc_cache_thr?");
    check_vary("seed=", "sweep list is empty");
    check_vary("seed=4..0", "never reaches 0");
    check_vary("seed=1..1e12", "too many points: 1000000000000 = 1000000000000 points x 8");
    check_vary("guest.tx_ring.size=256,x", "expected integer, got string \"x\"");
    check_vary("guest.tx_ring.size=[256", "unexpected end of file");
    check_vary("seed", "PATH=RANGE is needed");
    check_vary("name=a,b", "name: belongs to the whole scenario");
    check_vary("workload.flow=1,2", "not modelled yet");
}
END_TEST

START_TEST(scenario_counts_replications_and_variants_against_the_limit)
{
    const struct scenario_options options = {.most_points = 59};

    check_problem(HEAD ", \"replications\": 3, \"variants\": {\"a\": {}, \"b\": {}},"
                       "\"sweep\": {\"seed\": \"1..10\"}}",
                  &options, false, "10 = 10 points x 2 variants x 3 replications; limit 59 runs");
}
END_TEST

START_TEST(scenario_refuses_endless_sweeps_at_once)
{
    static const char text[] = HEAD
        ", \"sweep\": {\"seed\": \"0..18446744073709551615\", \"jitter\": {\"from\": 0, \"to\":"
        "0.3, \"step\": 1e-18}, \"workload.size\": {\"from\": 1, \"to\": 1500, \"factor\": 1.01}}}";
    clock_t start = clock();

    check_problem(text, &plain, false, "more than 18446744073709551615 points");
    ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC, 0.1);
}
END_TEST

START_TEST(scenario_refuses_an_endless_axis_whatever_the_limit)
{
    const struct scenario_options options = {.most_points = UINT64_MAX};

    check_problem(HEAD ", \"sweep\": {\"seed\": \"0..18446744073709551615\"}}", &options, false,
                  "values; an axis has up to 1000000");
}
END_TEST

START_TEST(scenario_reports_all_problems_of_a_file_in_its_order)
{
    static const char text[] =
        "{\"version\": 1,\n\"sed\": 1,\n\"duration\": 5,\n\"guest\": {\"tx_ring\":"
        "{\"size\": 0}},\n\"workload\": {\"type\": \"poison\"},\n\"variants\": {\"a\":"
        "{\"kernel\": 6.1}},\n\"sweep\": {\"seed\": []}}";
    struct problems problems;

    problems_init(&problems);
    ck_assert_ptr_eq(scenario_open_text("here.json", text, strlen(text), &plain, &problems), NULL);
    ck_assert_uint_eq(problems.count, 6);
    for (size_t i = 0; i < problems.count; i++) {
        ck_assert_uint_eq(problems.list[i].error.line, i + 2);
        ck_assert_str_eq(problems.list[i].error.source, "here.json");
    }
    problems_fini(&problems);
}
END_TEST

START_TEST(scenario_of_twenty_thousand_mistakes_is_refused_quickly)
{
    enum { KEYS = 20000 };
    struct problems problems;
    char *text = malloc(KEYS * 40);
    size_t used = (size_t)sprintf(text, "%s", HEAD);
    clock_t start = clock();

    for (int i = 0; i < KEYS; i++) {
        used += (size_t)sprintf(text + used, ",\n\"virtio_desc_cache_%d\": 1", i);
    }
    text[used++] = '}';
    problems_init(&problems);
    ck_assert_ptr_eq(scenario_open_text("here.json", text, used, &plain, &problems), NULL);
    ck_assert_uint_eq(problems.count, 201);
    ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC, 1);
    problems_fini(&problems);
    free(text);
}
END_TEST

START_TEST(scenario_leaves_the_callers_problems_alone)
{
    struct problems problems;
    struct scenario *s;

    problems_init(&problems);
    problems_error(&problems, "other", "of another file");
    s = scenario_open_text("here.json", HEAD "}", strlen(HEAD) + 1, &plain, &problems);
    ck_assert_ptr_ne(s, NULL);
    ck_assert_uint_eq(problems.count, 1);
    scenario_free(s);
    problems_fini(&problems);
}
END_TEST

START_TEST(scenario_checks_every_point_and_every_variant)
{
    /* Only the last point of the last variant breaks a rule across parameters. */
    check_problem(HEAD
                  ", \"workload.frags\": 17, \"sweep\": {\"guest.tx_ring.size\": [1024, 512, 8]},"
                  "\"variants\": {\"a\": {}, \"b\": {\"guest.tx_ring.indirect\": false}}}",
                  &plain, false, "guest.tx_ring.size");
}
END_TEST

START_TEST(scenario_says_each_finding_once_however_many_points_share_it)
{
    static const char text[] = HEAD ", \"guest.virtio_desc_cache_thr\": 40, \"sweep\": {\"seed\":"
                                    "\"1..5000\"}}";
    struct problems problems;
    struct scenario *s;

    problems_init(&problems);
    s = scenario_open_text("here.json", text, strlen(text), &plain, &problems);
    ck_assert_ptr_ne(s, NULL);
    ck_assert_uint_eq(problems.count, 1);
    scenario_free(s);
    problems_fini(&problems);
}
END_TEST

START_TEST(scenario_warns_of_mixed_kernels_only_where_one_was_chosen)
{
    struct problems problems;
    struct scenario *s;
    static const char text[] = HEAD ", \"guest.bql\": true}";

    check_problem(HEAD
                  ", \"kernel\": \"6.1\", \"variants\": {\"a\": {}, \"b\": {\"guest.bql\": true}}}",
                  &plain, true, "kernel 6.1 has guest.bql false; mixing kernel rows");
    problems_init(&problems);
    s = scenario_open_text("here.json", text, strlen(text), &plain, &problems);
    ck_assert(s && problems.count == 0);
    scenario_free(s);
    problems_fini(&problems);
}
END_TEST

START_TEST(scenario_strict_refuses_what_warns)
{
    const struct scenario_options strict = {.strict = true};

    check_problem(HEAD ", \"guest\": {\"napi_tx\": false, \"bql\": true}}", &plain, true,
                  "has no effect: only with guest.napi_tx true");
    check_problem(HEAD ", \"guest\": {\"napi_tx\": false, \"bql\": true}}", &strict, false,
                  "error: guest.bql: has no effect");
}
END_TEST

START_TEST(scenario_expectations_are_bound_to_the_axes)
{
    struct scenario *s = open_text(
        HEAD ", \"cases\": {\"x\": {}}, \"sweep\": {\"workload.rate\": [\"1kpps\", \"2kpps\"]},"
             "\"expect\": [\"hung==0\", \"rate=2000pps: tx_pps >= 1.9e3\", \"case=x: drops_per_s "
             "!= 1\"]}",
        &plain);
    const struct expectation *e = scenario_expect(s, 1);

    ck_assert_uint_eq(scenario_expect_count(s), 3);
    ck_assert_str_eq(e->filter_path, "workload.rate");
    ck_assert_str_eq(e->filter_value, "2kpps"); /* canonical, as scenario_point_value() gives it */
    ck_assert_int_eq(e->metric, METRIC_TX_PPS);
    ck_assert(e->op == EXPECT_GE && e->value > 1899.9 && e->value < 1900.1);
    ck_assert_str_eq(scenario_expect(s, 0)->filter_path, "");
    scenario_free(s);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {scenario_has_one_point_and_the_variant_base_when_nothing_is_said,
                            scenario_lets_the_later_layer_win,
                            scenario_presets_follow_the_choice_and_yield_to_settings,
                            scenario_points_change_the_last_axis_fastest,
                            scenario_zipped_axes_are_one_dimension,
                            scenario_vary_adds_and_replaces_axes,
                            scenario_without_axes_keeps_the_cases,
                            scenario_keeps_the_cases_that_are_asked_for,
                            scenario_set_takes_what_a_file_takes,
                            scenario_set_is_refused_like_a_file,
                            scenario_vary_is_refused_like_a_sweep,
                            scenario_counts_replications_and_variants_against_the_limit,
                            scenario_refuses_endless_sweeps_at_once,
                            scenario_refuses_an_endless_axis_whatever_the_limit,
                            scenario_reports_all_problems_of_a_file_in_its_order,
                            scenario_of_twenty_thousand_mistakes_is_refused_quickly,
                            scenario_leaves_the_callers_problems_alone,
                            scenario_checks_every_point_and_every_variant,
                            scenario_says_each_finding_once_however_many_points_share_it,
                            scenario_warns_of_mixed_kernels_only_where_one_was_chosen,
                            scenario_strict_refuses_what_warns,
                            scenario_expectations_are_bound_to_the_axes,
                            NULL};

    return suite_run("scenario", cases);
}
