/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/assert.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sim_assert_failed(const char *file, int line, const char *condition, sim_time now,
                       const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: broken invariant at %" PRId64 " ps: %s: ", file, line, now, condition);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
