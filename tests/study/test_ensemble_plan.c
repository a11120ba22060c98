/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/ensemble_plan.h"

#include <math.h>
#include <string.h>

#include "sim/study/config.h"
#include "tests/suite.h"

static struct param_place place_of(const char *path)
{
    ptrdiff_t index = param_lookup(&config_schema, path, true, NULL);

    ck_assert_msg(index >= 0, "%s", path);
    return param_at(&config_schema, (size_t)index);
}

/* Two free parameters and a regime of three values. */
static struct ensemble_plan *plan_new(void)
{
    struct ensemble_plan *plan = calloc(1, sizeof *plan);

    plan->free[0] = (struct ensemble_free){place_of("guest.stack.packet"), 1e6, 3e6, false};
    plan->free[1] = (struct ensemble_free){place_of("host.nic.moderation"), 2e6, 128e6, true};
    plan->free_count = 2;
    plan->regime[0].place = place_of("host.cpus");
    plan->regime[0].count = 3;
    strcpy(plan->regime[0].value[0], "8");
    strcpy(plan->regime[0].value[1], "16");
    strcpy(plan->regime[0].value[2], "24");
    plan->regime_count = 1;
    return plan;
}

START_TEST(a_world_of_a_point_lies_where_the_point_does)
{
    struct ensemble_plan *plan = plan_new();
    struct world world;
    const double low[] = {0, 0, 0}, middle[] = {0.5, 0.5, 0.5}, high[] = {1, 1, 1};

    ensemble_world(plan, low, &world);
    ck_assert_str_eq(world.text[0], "1us");
    ck_assert_str_eq(world.text[1], "2us");
    ck_assert_str_eq(world.text[2], "8");
    ensemble_world(plan, middle, &world);
    ck_assert_str_eq(world.text[0], "2us");
    ck_assert_str_eq(world.text[1], "16us"); /* evenly by factor */
    ck_assert_str_eq(world.text[2], "16");
    ensemble_world(plan, high, &world);
    ck_assert_str_eq(world.text[0], "3us");
    ck_assert_str_eq(world.text[1], "128us");
    ck_assert_str_eq(world.text[2], "24");
    ck_assert_uint_eq(ensemble_unknowns(plan), 3);
    ck_assert_str_eq(ensemble_unknown(plan, 2).row->path, "host.cpus");
    free(plan);
}
END_TEST

START_TEST(texts_of_values_read_back_to_four_digits)
{
    static const char *const paths[] = {"guest.stack.packet", "jitter"};
    static const double most[] = {1e13, 0.3};

    for (size_t k = 0; k < 2; k++) {
        struct param_place place = place_of(paths[k]);

        for (double value = most[k]; value > most[k] * 1e-9; value *= 0.37) {
            char text[ENSEMBLE_TEXT];

            ensemble_print(place.row, value, text);
            require(fabs(ensemble_free_value(place, text) / value - 1) < 1e-3 || value < 1e3);
        }
    }
    ck_assert_double_nan(ensemble_free_value(place_of("guest.stack.packet"), "soon"));
}
END_TEST

START_TEST(spots_are_shared_by_the_cells_that_name_them)
{
    struct ensemble_plan *plan = plan_new();
    struct ensemble_spot spot = {.variant = "old", .setting = {"workload.size=256"}, .settings = 1};

    ck_assert_uint_eq(ensemble_spot_of(plan, &spot), 0);
    spot.accepts = true;
    ck_assert_uint_eq(ensemble_spot_of(plan, &spot), 0);
    ck_assert(plan->spot[0].accepts);
    strcpy(spot.setting[0], "workload.size=512");
    ck_assert_uint_eq(ensemble_spot_of(plan, &spot), 1);
    strcpy(spot.variant, "gated");
    ck_assert_uint_eq(ensemble_spot_of(plan, &spot), 2);
    for (size_t i = 3; i < ENSEMBLE_SPOTS; i++) {
        snprintf(spot.setting[0], sizeof spot.setting[0], "workload.size=%zu", i);
        ck_assert_uint_eq(ensemble_spot_of(plan, &spot), i);
    }
    strcpy(spot.setting[0], "workload.size=9000");
    ck_assert_uint_eq(ensemble_spot_of(plan, &spot), ENSEMBLE_NO_SPOT);
    free(plan);
}
END_TEST

START_TEST(the_null_of_a_cell_is_the_figure_of_its_twin)
{
    struct ensemble_plan *plan = plan_new();
    struct ensemble_spot old = {.variant = "old", .setting = {"workload.size=256"}, .settings = 1};
    struct ensemble_spot new = old, other = old;
    struct ensemble_target *cell = plan->target;

    strcpy(new.variant, "gated");
    strcpy(other.variant, "gated");
    strcpy(other.setting[0], "workload.size=512");
    strcpy(plan->first, "old");
    strcpy(plan->second, "gated");
    plan->targets = 3;
    cell[0] = (struct ensemble_target){.metric = METRIC_TX_PPS, .published = 300, .terms = 1};
    cell[1] = (struct ensemble_target){.metric = METRIC_TX_PPS, .published = 310, .terms = 1};
    cell[2] = cell[1];
    cell[0].term[0].spot = ensemble_spot_of(plan, &old);
    cell[1].term[0].spot = ensemble_spot_of(plan, &new);
    cell[2].term[0].spot = ensemble_spot_of(plan, &other);
    ck_assert_double_eq(ensemble_null(plan, &cell[1]), 300);
    ck_assert_double_nan(ensemble_null(plan, &cell[0]));
    ck_assert_double_nan(ensemble_null(plan, &cell[2]));
    cell[1].measure = ENSEMBLE_GAIN;
    ck_assert_double_eq(ensemble_null(plan, &cell[1]), 0);
    free(plan);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {a_world_of_a_point_lies_where_the_point_does,
                            texts_of_values_read_back_to_four_digits,
                            spots_are_shared_by_the_cells_that_name_them,
                            the_null_of_a_cell_is_the_figure_of_its_twin, NULL};

    return suite_run("ensemble_plan", cases);
}
