/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/text_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MOST (16L << 20)

static bool refuse(struct error *error, const char *path, const char *text)
{
    if (error->kind == ERROR_NONE) {
        snprintf(error->source, sizeof error->source, "%s", path);
    }
    return error_set(error, ERROR_INPUT, "", "%s", text);
}

char *text_file_read(const char *path, struct error *error)
{
    FILE *file = fopen(path, "rb");
    struct stat st;

    if (!file) {
        error_set_errno(error, ERROR_INPUT, path);
        return NULL;
    }
    if (fstat(fileno(file), &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > BYTES_MOST) {
        refuse(error, path, "not a text file of at most 16 MiB");
        fclose(file);
        return NULL;
    }
    size_t bytes = (size_t)st.st_size;
    char *text = malloc(bytes + 1);
    if (!text) {
        error_set_errno(error, ERROR_SYSTEM, path);
    } else {
        bytes = fread(text, 1, bytes, file);
        text[bytes] = '\0';
        if (ferror(file) || strlen(text) != bytes) {
            refuse(error, path, "not a text file");
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

bool text_file_is_renamed(const char *path)
{
    struct stat status;

    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* False: *error says why, and nothing is known of what is there. */
static bool write_whole(const char *path, const char *text, struct error *error)
{
    FILE *file = fopen(path, "wb");
    size_t bytes = strlen(text);
    bool ok;

    if (!file) {
        return error_set_errno(error, ERROR_SYSTEM, path);
    }
    ok = fwrite(text, 1, bytes, file) == bytes;
    ok = fflush(file) == 0 && ok;
    if (!ok) {
        error_set_errno(error, ERROR_SYSTEM, path);
    }
    if (fclose(file) != 0 && ok) {
        ok = error_set_errno(error, ERROR_SYSTEM, path);
    }
    return ok;
}

bool text_file_write(const char *path, const char *text, struct error *error)
{
    char part[PATH_MAX];
    bool ok;

    if (!text_file_is_renamed(path)) {
        return write_whole(path, text, error);
    }
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return error_set_errno(error, ERROR_SYSTEM, path);
    }
    ok = write_whole(part, text, error);
    if (ok && rename(part, path) != 0) {
        ok = error_set_errno(error, ERROR_SYSTEM, path);
    }
    if (!ok) {
        unlink(part);
    }
    return ok;
}
