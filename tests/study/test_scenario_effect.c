/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was asked for and is replaced by a layer above, and the hints for names that are none.
 */
#include "tests/study/scenario_text.h"

#define THR        "guest.virtio_desc_cache_thr"
#define TWO_CASES  "\"cases\": {\"a\": {\"seed\": 3}, \"b\": {\"seed\": 4}}"
#define ONE_OF_TWO "\"variants\": {\"off\": {\"" THR "\": 0}, \"on\": {}}"

/* Every problem of a text in one string, a line each; NULL for an empty one. */
static char *problems_of(const char *members, const char *set, const char *vary, bool without_axes)
{
    const struct scenario_options options = {.set = &set,
                                             .set_count = set != NULL,
                                             .vary = &vary,
                                             .vary_count = vary != NULL,
                                             .without_axes = without_axes};
    char text[2000], *all = NULL, line[1200];
    size_t bytes;
    FILE *out = open_memstream(&all, &bytes);
    struct problems problems;

    snprintf(text, sizeof text, HEAD "%s%s}", members[0] ? ", " : "", members);
    problems_init(&problems);
    scenario_free(scenario_open_text("here.json", text, strlen(text), &options, &problems));
    for (size_t i = 0; i < problems.count; i++) {
        error_format(&problems.list[i].error, problems.list[i].warning ? "warning" : "error", line,
                     sizeof line);
        fprintf(out, "%s\n", line);
    }
    fclose(out);
    problems_fini(&problems);
    return all;
}

/* message NULL: nothing may be said. */
static void check(const char *members, const char *set, const char *vary, const char *message)
{
    char *all = problems_of(members, set, vary, false);

    if (message) {
        ck_assert_msg(strstr(all, message), "%s %s: %s", set ? set : "", vary ? vary : "", all);
    } else {
        ck_assert_str_eq(all, "");
    }
    free(all);
}

START_TEST(effect_axis_that_every_variant_sets_is_refused)
{
    check("\"variants\": {\"off\": {\"" THR "\": 0}, \"on\": {\"" THR "\": 4}}", NULL,
          "virtio_desc_cache_thr=0,2,4",
          "vqsim: error: " THR ": every variant sets it, so the axis changes nothing");
}
END_TEST

START_TEST(effect_axis_that_one_variant_sets_warns)
{
    check(ONE_OF_TWO, NULL, THR "=2,4",
          "warning: " THR ": the axis changes nothing for variant off, which sets it");
    check(ONE_OF_TWO, NULL, "jitter=0,0.1", NULL);
}
END_TEST

START_TEST(effect_axis_over_what_cases_set_warns)
{
    char *all;

    check(TWO_CASES, NULL, "seed=1..3", "seed: the axis replaces what every case sets for it");
    check("\"cases\": {\"a\": {\"seed\": 3}, \"b\": {}}", NULL, "seed=1..3",
          "seed: the axis replaces what case a sets for it");
    /* Without its axes the cases keep what they set. */
    all = problems_of(TWO_CASES ", \"sweep\": {\"seed\": [1, 2]}", NULL, NULL, true);
    ck_assert_str_eq(all, "");
    free(all);
}
END_TEST

START_TEST(effect_set_below_every_layer_warns)
{
    check(TWO_CASES, "seed=9", NULL, "seed: --set has no effect: every case sets it");
    check("\"variants\": {\"a\": {\"" THR "\": 0}, \"b\": {\"" THR "\": 4}}",
          "virtio_desc_cache_thr=2", NULL,
          "vqsim: warning: " THR ": --set has no effect: every variant sets it");
    check("\"sweep\": {\"seed\": [1, 2]}", "seed=9", NULL,
          "seed: --set has no effect: the sweep sets it");
    check("", "seed=9", "seed=1..3", "seed: --set has no effect: the sweep sets it");
}
END_TEST

START_TEST(effect_set_below_some_layers_names_them)
{
    check(ONE_OF_TWO, THR "=2", NULL, "--set has no effect in variant off, which sets it");
    check("\"cases\": {\"a\": {\"seed\": 3}, \"b\": {\"seed\": 4}, \"c\": {}}", "seed=9", NULL,
          "--set has no effect in cases a, b, which set it");
    check("\"cases\": {\"a\": {\"seed\": 1}, \"b\": {\"seed\": 1}, \"c\": {\"seed\": 1},"
          "\"d\": {\"seed\": 1}, \"e\": {\"seed\": 1}, \"f\": {}}",
          "seed=9", NULL, "in cases a, b, c, d, ..., which set it");
}
END_TEST

START_TEST(effect_set_over_the_file_is_silent)
{
    char *all;

    check("\"seed\": 4", "seed=9", NULL, NULL);
    check("\"cases\": {\"a\": {\"jitter\": 0}, \"b\": {}}", "seed=9", NULL, NULL);
    check("", "name=other", NULL, NULL);
    /* The axis is left out, so the value holds. */
    all = problems_of("\"sweep\": {\"seed\": [1, 2]}", "seed=9", NULL, true);
    ck_assert_str_eq(all, "");
    free(all);
}
END_TEST

START_TEST(effect_left_out_axes_tell_the_value_they_leave)
{
    const struct scenario_options options = {.without_axes = true};
    struct scenario *s = open_text(HEAD ", " TWO_CASES ", \"sweep\": {\"" THR "\": [0, 2],"
                                        "\"seed\": [1, 2], \"workload.frags\": [0, 1]}}",
                                   &options);
    char value[100];

    ck_assert_uint_eq(scenario_left_out_count(s), 3);
    ck_assert_str_eq(scenario_left_out(s, 0, value, sizeof value), THR);
    ck_assert_str_eq(value, "4");
    ck_assert_str_eq(scenario_left_out(s, 1, value, sizeof value), "seed");
    ck_assert_str_eq(value, ""); /* 3 in one case, 4 in the other */
    ck_assert_str_eq(scenario_left_out(s, 2, value, sizeof value), "workload.frags");
    ck_assert_str_eq(value, "0");
    scenario_free(s);
}
END_TEST

START_TEST(effect_cost_out_of_its_range_warns_wherever_it_is_set)
{
    check("", "costs.slab.kmalloc=90ns", NULL, "90ns is outside its plausible range 6ns..31ns");
    check("", "costs.slab.kmalloc=31ns", NULL, NULL);
    check("", "costs.slab.kmalloc={\"value\": \"90ns\", \"low\": \"80ns\", \"high\": \"100ns\"}",
          NULL, NULL);
    check("", NULL, "costs.slab.kmalloc=6ns,20ns,40ns", "40ns is outside its plausible range");
    /* A case is held against the range that the file gives. */
    check("\"costs.slab.kmalloc\": {\"value\": \"90ns\", \"low\": \"80ns\", \"high\": \"100ns\"},"
          "\"cases\": {\"a\": {\"costs.slab.kmalloc\": \"20ns\"}, \"b\": {}}",
          NULL, NULL, "20ns is outside its plausible range 80ns..100ns");
}
END_TEST

START_TEST(effect_hint_knows_parts_of_names)
{
    check("", "thr=2", NULL, "thr: unknown parameter; did you mean " THR "?");
    check("", "ring=512", NULL, "did you mean guest.tx_ring.size, ");
    check("", "packet=2", NULL, "3 parameters end in this: costs.host.packet, guest.stack.packet, costs.rx.packet;");
    check("", NULL, "thr=0..4", "did you mean " THR "?");
    check("\"sweep\": {\"packet\": [\"1us\"]}", NULL, NULL,
          "could be costs.host.packet, guest.stack.packet, costs.rx.packet; write the whole path");
    check("", "zz=2", NULL, "zz: unknown parameter\n");
}
END_TEST

START_TEST(effect_set_of_a_distribution_tells_its_form)
{
    check("", "frags=1..2", NULL, "got string \"1..2\"; write {\"uniform\": [1, 2]}");
    check("", "frags=some", NULL,
          "expected a whole number or {\"uniform\": [low, high]}, got string "
          "\"some\"\n");
    check("", "frags=3", NULL, NULL);
    check("", "frags={\"uniform\": [1, 2]}", NULL, NULL);
    check("", "seed=true", NULL, "expected integer, got true\n");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {effect_axis_that_every_variant_sets_is_refused,
                            effect_axis_that_one_variant_sets_warns,
                            effect_axis_over_what_cases_set_warns,
                            effect_set_below_every_layer_warns,
                            effect_set_below_some_layers_names_them,
                            effect_set_over_the_file_is_silent,
                            effect_left_out_axes_tell_the_value_they_leave,
                            effect_cost_out_of_its_range_warns_wherever_it_is_set,
                            effect_hint_knows_parts_of_names,
                            effect_set_of_a_distribution_tells_its_form,
                            NULL};

    return suite_run("scenario_effect", cases);
}
