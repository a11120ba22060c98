/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gaps of an emulated machine choose no default: what takes part over all cases, and what is said. */
#include <math.h>
#include <string.h>

#include "sim/study/recommend_replay.h"
#include "tests/suite.h"

#define VALUES 3

/* A case of three values whose guest times are these, in two replications. */
static void make_case(struct recommend_case *c, const double ns[VALUES], const char *column)
{
    static const char *const names[VALUES] = {"0", "4", "18"};

    *c = (struct recommend_case){.count = VALUES, .scenario = 1};
    c->values = calloc(VALUES, sizeof *c->values);
    ck_assert_ptr_nonnull(c->values);
    for (int i = 0; i < VALUES; i++) {
        struct recommend_value *v = &c->values[i];

        snprintf(v->name, sizeof v->name, "%s", names[i]);
        v->cost_bytes = i;
        v->n = 2;
        v->ns = calloc(2, sizeof *v->ns);
        ck_assert_ptr_nonnull(v->ns);
        v->ns[0] = ns[i];
        v->ns[1] = ns[i] + 1;
        recommend_take_replay(c, column, i == 0);
    }
    recommend_judge(c, RECOMMEND_TOLERANCE_PERCENT);
}

static void judge(struct recommend *r, size_t count)
{
    *r = (struct recommend){.tolerance_percent = RECOMMEND_TOLERANCE_PERCENT, .count = count};
    r->cases = calloc(count, sizeof *r->cases);
    ck_assert_ptr_nonnull(r->cases);
}

static const double wants_18[VALUES] = {1000, 990, 900};
static const double wants_4[VALUES] = {1000, 900, 900};

START_TEST(timing_of_an_emulated_machine_takes_no_part)
{
    struct recommend r;

    judge(&r, 2);
    make_case(&r.cases[0], wants_18, "true timing aa");
    make_case(&r.cases[1], wants_4, "true marks aa");
    ck_assert(recommend_judge_overall(&r));
    ck_assert_str_eq(r.overall.values[r.overall.recommended].name, "4");
    ck_assert(recommend_is_set_aside(&r.cases[0]));
    ck_assert(!recommend_is_set_aside(&r.cases[1]));
    ck_assert_ptr_eq(recommend_by_marks(&r, &r.cases[0]), &r.cases[1]);
    recommend_free(&r);
}
END_TEST

START_TEST(timing_of_a_machine_takes_part)
{
    struct recommend r;

    judge(&r, 2);
    make_case(&r.cases[0], wants_18, "false timing aa");
    make_case(&r.cases[1], wants_4, "false marks aa");
    ck_assert(recommend_judge_overall(&r));
    ck_assert_str_eq(r.overall.values[r.overall.recommended].name, "18");
    ck_assert_uint_eq(recommend_set_aside_count(&r), 0);
    recommend_free(&r);
}
END_TEST

START_TEST(timing_of_an_emulated_machine_alone_chooses_nothing)
{
    struct recommend r;

    judge(&r, 1);
    make_case(&r.cases[0], wants_18, "true timing aa");
    ck_assert(recommend_judge_overall(&r));
    ck_assert_uint_eq(r.overall.count, 0);
    ck_assert_ptr_nonnull(strstr(r.why, "choose no default"));
    ck_assert_ptr_null(recommend_by_marks(&r, &r.cases[0]));
    recommend_free(&r);
}
END_TEST

START_TEST(what_replays_no_capture_is_never_set_aside)
{
    static const char *const columns[] = {NULL, "", "true timing ", "false timing "};
    struct recommend_case c = {0};

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        recommend_take_replay(&c, columns[i], true);
        ck_assert(!recommend_is_set_aside(&c));
        ck_assert_str_eq(c.capture, "");
    }
}
END_TEST

START_TEST(a_case_that_compares_captures_is_not_one_of_them)
{
    struct recommend_case c = {0};

    recommend_take_replay(&c, "true timing aa", true);
    recommend_take_replay(&c, "true timing aa", false);
    ck_assert(recommend_is_set_aside(&c));
    recommend_take_replay(&c, "true timing bb", false);
    ck_assert(!recommend_is_set_aside(&c));
}
END_TEST

int main(void)
{
    const TTest *cases[] = {timing_of_an_emulated_machine_takes_no_part,
                            timing_of_a_machine_takes_part,
                            timing_of_an_emulated_machine_alone_chooses_nothing,
                            what_replays_no_capture_is_never_set_aside,
                            a_case_that_compares_captures_is_not_one_of_them,
                            NULL};

    return suite_run("recommend_replay", cases);
}
