/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/suggest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FAR 1000

void suggest_init(struct suggest *suggest, const char *name)
{
    size_t length = strnlen(name, SUGGEST_LENGTH_MOST + 1);
    int third = (int)length / 3;

    *suggest = (struct suggest){.name = name, .best_distance = FAR};
    if (length <= SUGGEST_LENGTH_MOST) {
        suggest->limit = third < 1 ? 1 : third > 4 ? 4 : third;
    }
}

/* Case and the choice between - and _ are matters of habit, not of meaning. */
static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c == '-' ? '_' : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment, row by row; both lengths are bounded. */
static int distance(const char *a, size_t m, const char *b, size_t n)
{
    int rows[3][SUGGEST_LENGTH_MOST + 1];
    int *older = rows[0], *old = rows[1], *now = rows[2];

    for (size_t j = 0; j <= n; j++) {
        old[j] = (int)j;
        older[j] = FAR;
    }
    for (size_t i = 1; i <= m; i++) {
        int *spare = older;

        now[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int same = fold(a[i - 1]) == fold(b[j - 1]) ? 0 : 1;

            now[j] = least(least(old[j] + 1, now[j - 1] + 1), old[j - 1] + same);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1])) {
                now[j] = least(now[j], older[j - 2] + 1);
            }
        }
        older = old;
        old = now;
        now = spare;
    }
    return old[n];
}

void suggest_offer(struct suggest *suggest, const char *candidate)
{
    size_t m = strnlen(suggest->name, SUGGEST_LENGTH_MOST + 1);
    size_t n = strnlen(candidate, SUGGEST_LENGTH_MOST + 1);
    size_t shorter = m < n ? m : n, gap = m < n ? n - m : m - n;
    int d = FAR;

    if (suggest->limit == 0 || n > SUGGEST_LENGTH_MOST || n == 0 || is_digit(candidate[0])) {
        return; /* numbers and versions that differ in a digit are different things */
    }
    if (gap <= (size_t)suggest->limit) {
        d = distance(suggest->name, m, candidate, n);
        if (d > suggest->limit || d >= (int)shorter) {
            d = FAR;
        }
    }
    if (d == FAR && shorter >= 4 && strncmp(suggest->name, candidate, shorter) == 0) {
        d = suggest->limit + 1 + (int)gap;
    }
    if (d < suggest->best_distance) {
        suggest->best_distance = d;
        memcpy(suggest->best, candidate, n + 1);
    }
}

char *suggest_text(const struct suggest *suggest, char buffer[SUGGEST_TEXT_BYTES])
{
    buffer[0] = '\0';
    if (suggest->best[0]) {
        snprintf(buffer, SUGGEST_TEXT_BYTES, "; did you mean %s?", suggest->best);
    }
    return buffer;
}
