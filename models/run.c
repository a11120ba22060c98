/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/run.h"

#include <stdlib.h>

struct run_result *run_result_new(void)
{
    return calloc(1, sizeof(struct run_result));
}

void run_result_free(struct run_result *result)
{
    free(result);
}
