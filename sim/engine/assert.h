/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim_assert: a broken invariant of a model is a bug of this program, never a result. It is always
 * compiled in, prints the part, the simulated time and the text, and aborts.
 */
#ifndef SIM_ENGINE_ASSERT_H
#define SIM_ENGINE_ASSERT_H

#include "sim/engine/time.h"

_Noreturn void sim_assert_failed(const char *file, int line, const char *condition, sim_time now,
                                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* now: the simulated time, or 0 where the part knows none. */
#define sim_assert(condition, now, ...)                                                            \
    ((condition) ? (void)0 : sim_assert_failed(__FILE__, __LINE__, #condition, (now), __VA_ARGS__))

#endif
