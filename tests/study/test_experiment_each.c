/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/experiment_each.h"

#include "tests/suite.h"

#define COUNT 1000

static void square(void *context, size_t index)
{
    ((uint64_t *)context)[index] += index * index + 1;
}

START_TEST(each_index_is_done_once_whatever_the_threads)
{
    static const uint32_t threads[] = {0, 1, 2, 7, 2000};

    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
        uint64_t x[COUNT] = {0};
        struct progress progress;

        progress_init(&progress, stderr, PROGRESS_NONE);
        experiment_each(threads[k], COUNT, square, x, k % 2 ? &progress : NULL);
        for (size_t i = 0; i < COUNT; i++) {
            require(x[i] == i * i + 1);
        }
        ck_assert_uint_eq(progress.done, k % 2 ? COUNT : 0);
    }
}
END_TEST

START_TEST(each_of_nothing_returns)
{
    experiment_each(4, 0, square, NULL, NULL);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {each_index_is_done_once_whatever_the_threads, each_of_nothing_returns,
                            NULL};

    return suite_run("experiment_each", cases);
}
