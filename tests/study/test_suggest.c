/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/suggest.h"

#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

static struct suggest nearest(const char *name, const char *const *candidates)
{
    struct suggest suggest;

    suggest_init(&suggest, name);
    for (; *candidates; candidates++) {
        suggest_offer(&suggest, *candidates);
    }
    return suggest;
}

static const char *const names[] = {"virtio_desc_cache_thr",
                                    "seed",
                                    "split",
                                    "packed",
                                    "zcopy_cb_batch",
                                    "eqe",
                                    "cqe",
                                    "6.1",
                                    NULL};

START_TEST(suggest_finds_the_slip)
{
    ck_assert_str_eq(nearest("virtio_desc_cahe_thr", names).best, "virtio_desc_cache_thr");
    ck_assert_str_eq(nearest("virtio_desc_cache_threshold", names).best, "virtio_desc_cache_thr");
    ck_assert_str_eq(nearest("spilt", names).best, "split");
    ck_assert_str_eq(nearest("Seed", names).best, "seed");
    ck_assert_str_eq(nearest("zcopy-cb-batch", names).best, "zcopy_cb_batch");
    ck_assert_str_eq(nearest("eq", names).best, "eqe");
}
END_TEST

START_TEST(suggest_is_silent_where_nothing_is_near)
{
    ck_assert_str_eq(nearest("flux_capacitor", names).best, "");
    ck_assert_str_eq(nearest("", names).best, "");
    ck_assert_str_eq(nearest("x", names).best, "");
    ck_assert_str_eq(nearest("6.9", names).best, "");
}
END_TEST

START_TEST(suggest_costs_nothing_on_endless_names)
{
    char *name = malloc(1 << 20);

    memset(name, 'k', (1 << 20) - 1);
    name[(1 << 20) - 1] = '\0';
    for (int i = 0; i < 10000; i++) {
        ck_assert_str_eq(nearest(name, names).best, "");
    }
    free(name);
}
END_TEST

START_TEST(suggest_writes_a_question)
{
    struct suggest suggest;
    char text[SUGGEST_TEXT_BYTES];

    suggest_init(&suggest, "sed");
    suggest_offer(&suggest, "seed");
    ck_assert_str_eq(suggest_text(&suggest, text), "; did you mean seed?");
    suggest_init(&suggest, "nothing");
    ck_assert_str_eq(suggest_text(&suggest, text), "");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {suggest_finds_the_slip, suggest_is_silent_where_nothing_is_near,
                            suggest_costs_nothing_on_endless_names, suggest_writes_a_question,
                            NULL};

    return suite_run("suggest", cases);
}
