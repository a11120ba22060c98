/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/expect.h"

#include "tests/study/store_fixture.h"

#define EXPECTING                                                                                  \
    TINY_AXIS ", \"expect\": [\"hung == 0\", \"variant=cache: tx_pps >= 10\","                     \
              " \"guest.tx_ring.size=128: tx_pps < 5\", \"guest.tx_ring.size=128: tx_pps != 7\"]"

static struct expect_result fresh(void)
{
    return (struct expect_result){.state = EXPECT_UNTESTED, .worst = NAN};
}

START_TEST(expect_applies_where_its_filter_says)
{
    struct scenario *scenario = tiny_scenario(EXPECTING);
    struct expect_result r = fresh();

    expect_add(&r, scenario_expect(scenario, 1), scenario, 0, 0, 1); /* variant none: not meant */
    ck_assert_int_eq(r.state, EXPECT_UNTESTED);
    expect_add(&r, scenario_expect(scenario, 1), scenario, 0, 1, 10);
    ck_assert_int_eq(r.state, EXPECT_PASS);
    expect_add(&r, scenario_expect(scenario, 1), scenario, 2, 1, 9.9);
    ck_assert_int_eq(r.state, EXPECT_FAIL);
    ck_assert_str_eq(r.where, "guest.tx_ring.size=256, variant cache");
    ck_assert_uint_eq(r.tested, 2);
    ck_assert_uint_eq(r.failed, 1);
    expect_add(&r, scenario_expect(scenario, 1), scenario, 1, 1, 11); /* stays failed */
    ck_assert_int_eq(r.state, EXPECT_FAIL);
    ck_assert_double_eq_tol(r.worst, 9.9, 1e-12);
    scenario_free(scenario);
}
END_TEST

START_TEST(expect_follows_axes)
{
    struct scenario *scenario = tiny_scenario(EXPECTING);
    struct expect_result r = fresh();

    expect_add(&r, scenario_expect(scenario, 2), scenario, 0, 0, 100); /* ring of 64 */
    ck_assert_int_eq(r.state, EXPECT_UNTESTED);
    expect_add(&r, scenario_expect(scenario, 2), scenario, 1, 0, 100);
    ck_assert_int_eq(r.state, EXPECT_FAIL);
    scenario_free(scenario);
}
END_TEST

START_TEST(expect_fails_where_there_is_no_value)
{
    struct scenario *scenario = tiny_scenario(EXPECTING);

    for (size_t i = 0; i < scenario_expect_count(scenario); i++) {
        struct expect_result r = fresh();

        expect_add(&r, scenario_expect(scenario, i), scenario, 1, 1, NAN);
        ck_assert_int_eq(r.state, EXPECT_FAIL);
    }
    scenario_free(scenario);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {expect_applies_where_its_filter_says, expect_follows_axes,
                            expect_fails_where_there_is_no_value, NULL};

    return suite_run("expect", cases);
}
