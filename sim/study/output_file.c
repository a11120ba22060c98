/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/output_file.h"

#include <errno.h>
#include <string.h>

static void fail(const char *name, struct error *error)
{
    error_set(error, ERROR_SYSTEM, "", "cannot be written: %s", strerror(errno));
    snprintf(error->source, sizeof error->source, "%s", name);
}

FILE *output_file_open(const char *name, struct error *error)
{
    FILE *file = fopen(name, "wb");

    if (!file) {
        fail(name, error);
    }
    return file;
}

bool output_file_close(FILE *file, const char *name, struct error *error)
{
    bool ok = !ferror(file);

    errno = ok ? 0 : EIO;
    ok = fclose(file) == 0 && ok;
    if (!ok) {
        fail(name, error);
    }
    return ok;
}
