/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two suppression conditions against their vectors, and against what they mean: an index range.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/virtqueue.h"
#include "tests/suite.h"

/* Next row of six numbers at most; returns how many were read. */
static int read_row(FILE *file, unsigned value[6])
{
    char line[200];

    if (fgets(line, sizeof line, file) == NULL) {
        return 0;
    }
    return sscanf(line, "%u,%u,%u,%u,%u,%u", &value[0], &value[1], &value[2], &value[3], &value[4],
                  &value[5]);
}

static FILE *open_vectors(const char *name)
{
    char path[500], line[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/models/vectors/%s", TESTS_DIR, name);
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    return file;
}

START_TEST(need_event_agrees_with_5000_vectors)
{
    FILE *file = open_vectors("vring_need_event.csv");
    unsigned v[6], ones = 0, rows = 0;

    while (read_row(file, v) >= 4) {
        bool need = virtqueue_need_event((uint16_t)v[0], (uint16_t)v[1], (uint16_t)v[2]);

        rows++;
        ones += need;
        ck_assert_msg(need == (v[3] != 0), "row %u: event %u, new %u, old %u", rows, v[0], v[1],
                      v[2]);
    }
    fclose(file);
    ck_assert_uint_eq(rows, 5000);
    ck_assert_uint_eq(ones, 2930);
}
END_TEST

START_TEST(packed_need_event_agrees_with_1000_vectors)
{
    FILE *file = open_vectors("packed_kick_desc_event.csv");
    char line[200];
    unsigned rows = 0;

    while (fgets(line, sizeof line, file) != NULL) {
        unsigned size, idx, wrap, added, off, event_wrap, need;

        ck_assert_int_eq(sscanf(line, "%u,%u,%u,%u,%u,%u,%u", &size, &idx, &wrap, &added, &off,
                                &event_wrap, &need),
                         7);
        rows++;
        ck_assert_msg(virtqueue_packed_need_event(size, (uint16_t)off, event_wrap != 0,
                                                  (uint16_t)idx, wrap != 0,
                                                  (uint16_t)added) == (need != 0),
                      "row %u: %s", rows, line);
    }
    fclose(file);
    ck_assert_uint_eq(rows, 1000);
}
END_TEST

/* "The step old -> new has passed the event" counted out entry by entry, over the wrap. */
START_TEST(need_event_is_true_when_the_event_lies_in_the_step)
{
    for (uint32_t old_idx = 65530; old_idx < 65545; old_idx++) {
        for (uint32_t count = 0; count < 12; count++) {
            for (uint32_t event = 65520; event < 65560; event++) {
                bool passed = event >= old_idx && event < old_idx + count;

                ck_assert_int_eq(virtqueue_need_event((uint16_t)event, (uint16_t)(old_idx + count),
                                                      (uint16_t)old_idx),
                                 passed);
            }
        }
    }
}
END_TEST

/* The same for a packed ring: positions are counted on over laps; an event is the latest position
 * with its offset and wrap counter that is not ahead by a lap or more. */
START_TEST(packed_need_event_is_true_when_the_event_lies_in_the_step)
{
    static const uint32_t sizes[] = {2, 3, 7, 8};
    uint32_t size = sizes[_i];

    for (uint32_t end = size; end < 4 * size; end++) {
        for (uint32_t count = 0; count <= size; count++) {
            for (uint32_t event = end - size; event < end + size; event++) {
                bool in_sight = event / size == end / size || event / size + 1 == end / size;
                bool passed = event >= end - count && event < end;

                if (!in_sight) {
                    continue; /* cannot be told from the position two laps before */
                }
                ck_assert_int_eq(virtqueue_packed_need_event(
                                     size, (uint16_t)(event % size), event / size % 2 == 0,
                                     (uint16_t)(end % size), end / size % 2 == 0, (uint16_t)count),
                                 passed);
            }
        }
    }
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = need_event_agrees_with_5000_vectors},
        {.test = packed_need_event_agrees_with_1000_vectors},
        {.test = need_event_is_true_when_the_event_lies_in_the_step},
        {.test = packed_need_event_is_true_when_the_event_lies_in_the_step, .end = 4},
        {0},
    };

    return suite_run_cases("virtqueue_vectors", NULL, NULL, cases);
}
