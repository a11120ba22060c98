/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/data_dir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The folder the running program is in; false where the system does not say. */
static bool program_folder(char *path, size_t bytes)
{
    ssize_t length = readlink("/proc/self/exe", path, bytes - 1);

    if (length <= 0) {
        return false;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash) {
        return false;
    }
    *slash = '\0';
    return true;
}

static bool try_folder(const char *base, const char *between, const char *name, char *path,
                       size_t bytes)
{
    int length = snprintf(path, bytes, "%s%s%s", base, between, name);

    return length > 0 && (size_t)length < bytes && is_folder(path);
}

/* The same without "..", where it fits: it stands in messages. */
static void shorten(char *path, size_t bytes)
{
    char real[PATH_MAX];

    if (realpath(path, real) && strlen(real) < bytes) {
        memcpy(path, real, strlen(real) + 1);
    }
}

bool data_dir_find(const char *name, const char *given, char *path, size_t bytes,
                   struct error *error)
{
    const char *data = getenv("VQSIM_DATA");
    char program[PATH_MAX];

    if (given) {
        if (!try_folder(given, "", "", path, bytes)) {
            snprintf(error->source, sizeof error->source, "%s", given);
            return error_set(error, ERROR_INPUT, "", "no such folder");
        }
        return true;
    }
    if (data && data[0] != '\0' && try_folder(data, "/", name, path, bytes)) {
        return true;
    }
    if (program_folder(program, sizeof program)) {
        if (try_folder(program, "/../../", name, path, bytes) ||
            try_folder(program, "/../share/vqsim/", name, path, bytes)) {
            shorten(path, bytes);
            return true;
        }
    } else {
        snprintf(program, sizeof program, "(program)");
    }
    return error_set(error, ERROR_INPUT, "",
                     "no folder %s: looked in $VQSIM_DATA (%s), ../../%s and ../share/vqsim/%s "
                     "beside the program; set VQSIM_DATA",
                     name, data && data[0] != '\0' ? data : "not set", name, name);
}
