/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/text_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"

START_TEST(a_file_is_replaced_whole)
{
    char folder[] = "/tmp/vqsim-text-XXXXXX", path[64], part[64], *text;
    struct error error = {0};

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(part, sizeof part, "%s/file.part", folder);
    ck_assert(text_file_write(path, "a longer text\n", &error));
    ck_assert(text_file_write(path, "text\n", &error));
    text = text_file_read(path, &error);
    ck_assert_str_eq(text, "text\n");
    ck_assert_int_ne(access(part, F_OK), 0);
    free(text);
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(what_is_no_file_is_written_to_and_stays)
{
    char folder[] = "/tmp/vqsim-text-XXXXXX", path[64], got[16] = "";
    struct error error = {0};
    struct stat status;
    int fd;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    fd = open(path, O_RDWR); /* its own writer, so that nobody waits */
    ck_assert_int_ge(fd, 0);
    ck_assert(text_file_write(path, "text\n", &error));
    ck_assert_int_eq((int)read(fd, got, sizeof got), 5);
    ck_assert_str_eq(got, "text\n");
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert(S_ISFIFO(status.st_mode));
    close(fd);
    ck_assert_int_eq(remove(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        a_file_is_replaced_whole,
        what_is_no_file_is_written_to_and_stays,
        NULL,
    };

    return suite_run("text_file", cases);
}
