/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/recommend_replay.h"

#include <stdio.h>
#include <string.h>

void recommend_take_replay(struct recommend_case *c, const char *column, bool first)
{
    char emulated[8] = "", replay[8] = "", sum[SHA256_HEX_BYTES] = "";
    bool timing;

    /* not a capture: no sum */
    if (!column || sscanf(column, "%7s %7s %64s", emulated, replay, sum) != 3) {
        c->capture[0] = '\0';
        c->emulated_timing = false;
        return;
    }
    timing = strcmp(replay, "timing") == 0;
    if (first) {
        memcpy(c->capture, sum, sizeof c->capture);
        c->emulated_timing = timing && strcmp(emulated, "true") == 0;
        c->by_marks = !timing;
    } else if (strcmp(c->capture, sum) != 0 || c->by_marks == timing) {
        c->capture[0] = '\0'; /* it compares captures, or ways: a question of its own */
        c->emulated_timing = false;
    }
}

bool recommend_is_set_aside(const struct recommend_case *c)
{
    return c->emulated_timing;
}

size_t recommend_set_aside_count(const struct recommend *r)
{
    size_t count = 0;

    for (size_t i = 0; i < r->count; i++) {
        count += recommend_is_set_aside(&r->cases[i]);
    }
    return count;
}

const struct recommend_case *recommend_by_marks(const struct recommend *r,
                                                const struct recommend_case *c)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct recommend_case *other = &r->cases[i];

        if (other->by_marks && other->scenario == c->scenario && other->capture[0] &&
            strcmp(other->capture, c->capture) == 0) {
            return other;
        }
    }
    return NULL;
}
