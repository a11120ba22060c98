/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_input.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/study/sha256.h"
#include "tests/suite.h"

struct given {
    char file[40];
    struct problems problems;
    struct trace_input *input;
};

/* Opens a file with these bytes, compressed where asked for. */
static void give(struct given *given, const void *data, size_t bytes, bool compressed)
{
    int fd;

    strcpy(given->file, "/tmp/vqsim-input-XXXXXX");
    fd = mkstemp(given->file);
    ck_assert_int_ge(fd, 0);
    if (compressed) {
        gzFile gz = gzdopen(fd, "wb");

        ck_assert_int_eq(gzwrite(gz, data, (unsigned)bytes), (int)bytes);
        ck_assert_int_eq(gzclose(gz), Z_OK);
    } else {
        ck_assert_int_eq(write(fd, data, bytes), (ssize_t)bytes);
        close(fd);
    }
    problems_init(&given->problems);
    given->input = trace_input_open(given->file, &given->problems);
}

static void take_back(struct given *given)
{
    trace_input_close(given->input);
    problems_fini(&given->problems);
    unlink(given->file);
}

static void check_lines(const char *text, const char *expected)
{
    struct given given;
    char all[200] = "";
    char *line;
    size_t bytes;

    give(&given, text, strlen(text), false);
    while (trace_input_line(given.input, &line, &bytes) == 1) {
        ck_assert_uint_eq(bytes, strlen(line));
        strcat(strcat(all, line), "|");
    }
    ck_assert_str_eq(all, expected);
    ck_assert_uint_eq(given.problems.count, 0);
    take_back(&given);
}

START_TEST(line_ends_with_any_of_the_three_line_ends)
{
    check_lines("a\nb\n", "a|b|");
    check_lines("a\r\nb\r\n", "a|b|");
    check_lines("a\rb\r", "a|b|");
    check_lines("a\nb", "a|b|");
    check_lines("a\n\n\nb\n", "a|||b|");
    check_lines("\n", "|");
    check_lines("a", "a|");
    check_lines("a\r", "a|");
    check_lines("a\nb\rc\n", "a|b\rc|");
}
END_TEST

START_TEST(last_line_says_whether_it_was_ended)
{
    struct given given;
    char *line;
    size_t bytes;

    give(&given, "a\nb", 3, false);
    ck_assert_int_eq(trace_input_line(given.input, &line, &bytes), 1);
    ck_assert(trace_input_line_ended(given.input));
    ck_assert_int_eq(trace_input_line(given.input, &line, &bytes), 1);
    ck_assert(!trace_input_line_ended(given.input));
    ck_assert_uint_eq(trace_input_line_number(given.input), 2);
    ck_assert_int_eq(trace_input_line(given.input, &line, &bytes), 0);
    take_back(&given);
}
END_TEST

static void check_refused_line(const char *data, size_t bytes, uint64_t good, uint32_t column,
                               const char *text)
{
    struct given given;
    char *line;
    size_t length;

    give(&given, data, bytes, false);
    for (uint64_t i = 0; i < good; i++) {
        ck_assert_int_eq(trace_input_line(given.input, &line, &length), 1);
    }
    ck_assert_int_eq(trace_input_line(given.input, &line, &length), -1);
    ck_assert_uint_eq(given.problems.errors, 1);
    ck_assert_uint_eq(given.problems.list[0].error.line, good + 1);
    ck_assert_uint_eq(given.problems.list[0].error.column, column);
    ck_assert_ptr_nonnull(strstr(given.problems.list[0].error.text, text));
    take_back(&given);
}

START_TEST(line_with_a_nul_byte_or_of_too_many_is_refused)
{
    static char longest[TRACE_LINE_MOST + 10];
    struct given given;
    char *line;
    size_t bytes;

    check_refused_line("ab\nc\0d\n", 7, 1, 2, "NUL byte");
    memset(longest, 'x', sizeof longest);
    check_refused_line(longest, sizeof longest, 0, 1, "line 1 is longer than 65536 bytes");
    longest[TRACE_LINE_MOST] = '\n';
    give(&given, longest, sizeof longest, false);
    ck_assert_int_eq(trace_input_line(given.input, &line, &bytes), 1);
    ck_assert_uint_eq(bytes, TRACE_LINE_MOST);
    ck_assert_int_eq(trace_input_line(given.input, &line, &bytes), 1);
    take_back(&given);
}
END_TEST

/* Five megabytes, taken in pieces of every size. */
static void check_bytes(bool compressed)
{
    const size_t size = 5000000;
    uint8_t *data = malloc(size);
    struct given given;
    size_t at = 0, available, step = 1;

    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(i * i >> 7);
    }
    give(&given, data, size, compressed);
    for (;;) {
        const uint8_t *piece = trace_input_peek(given.input, step, &available);

        require(trace_input_offset(given.input) == at);
        if (available == 0) {
            break;
        }
        require(available >= step || at + available == size);
        step = step < available ? step : available;
        require(memcmp(piece, data + at, step) == 0);
        trace_input_skip(given.input, step);
        at += step;
        step = step * 3 % (TRACE_INPUT_PEEK_MOST - 1) + 1;
    }
    ck_assert_uint_eq(at, size);
    ck_assert(!trace_input_failed(given.input));
    ck_assert_uint_eq(given.problems.count, 0);
    take_back(&given);
    free(data);
}

START_TEST(bytes_come_as_they_stand_in_the_file_plain_or_compressed)
{
    check_bytes(false);
    check_bytes(true);
}
END_TEST

static void hash_of(const char *text, bool compressed, size_t lines, char hex[SHA256_HEX_BYTES])
{
    struct given given;
    struct sha256 sha;
    char *line;
    size_t bytes;

    sha256_init(&sha);
    give(&given, text, strlen(text), compressed);
    ck_assert(trace_input_hash(given.input, &sha));
    while (lines-- > 0) {
        ck_assert_int_eq(trace_input_line(given.input, &line, &bytes), 1);
    }
    ck_assert(trace_input_drain(given.input));
    ck_assert(!trace_input_hash(given.input, &sha));
    sha256_end(&sha, hex);
    take_back(&given);
}

START_TEST(hash_is_that_of_the_content_however_it_was_read)
{
    const char *text = "time,len\r\n0,60\r\n1,60\r\n";
    char plain[SHA256_HEX_BYTES], read[SHA256_HEX_BYTES], compressed[SHA256_HEX_BYTES];

    hash_of(text, false, 0, plain);
    hash_of(text, false, 3, read);
    hash_of(text, true, 2, compressed);
    ck_assert_str_eq(plain, read);
    ck_assert_str_eq(plain, compressed);
}
END_TEST

/* Changes a compressed file of many lines, and reads it to its end. */
static void damage(struct given *given, off_t keep, int byte, uint64_t *lines)
{
    static char text[200000];
    struct stat status;
    char *line;
    size_t bytes;

    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = i % 50 == 49 ? '\n' : (char)('a' + i * i * i / 7 % 26);
    }
    give(given, text, sizeof text, true);
    trace_input_close(given->input);
    ck_assert_int_eq(stat(given->file, &status), 0);
    ck_assert_int_eq(truncate(given->file, status.st_size - keep), 0);
    if (byte >= 0) {
        FILE *file = fopen(given->file, "r+");

        fseek(file, byte, SEEK_SET);
        fputs("damage", file);
        fclose(file);
    }
    given->input = trace_input_open(given->file, &given->problems);
    for (*lines = 0; trace_input_line(given->input, &line, &bytes) == 1;) {
        ++*lines;
    }
}

START_TEST(compressed_data_that_end_early_are_a_warning_and_damaged_ones_an_error)
{
    struct given given;
    uint64_t lines;

    damage(&given, 1000, -1, &lines);
    ck_assert_uint_gt(lines, 100);
    ck_assert(!trace_input_failed(given.input));
    ck_assert_uint_eq(given.problems.count, 1);
    ck_assert_uint_eq(given.problems.errors, 0);
    take_back(&given);
    damage(&given, 0, 500, &lines);
    ck_assert(trace_input_failed(given.input));
    ck_assert_uint_eq(given.problems.errors, 1);
    take_back(&given);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    struct problems problems;

    problems_init(&problems);
    ck_assert_ptr_null(trace_input_open("/no/such/file", &problems));
    ck_assert_str_eq(problems.list[0].error.text, "No such file or directory");
    ck_assert_str_eq(problems.list[0].error.source, "/no/such/file");
    ck_assert_ptr_null(trace_input_open("/", &problems));
    ck_assert_str_eq(problems.list[1].error.text, "is a directory");
    problems_fini(&problems);
}
END_TEST

START_TEST(text_is_shown_without_control_bytes_and_not_too_long)
{
    char shown[TRACE_SHOW_BYTES], many[200];

    ck_assert_str_eq(trace_input_show("a b\x1b[m\xff", 7, shown), "a b\\x1b[m\\xff");
    memset(many, '\1', sizeof many);
    ck_assert_uint_lt(strlen(trace_input_show(many, sizeof many, shown)), TRACE_SHOW_BYTES);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        line_ends_with_any_of_the_three_line_ends,
        last_line_says_whether_it_was_ended,
        line_with_a_nul_byte_or_of_too_many_is_refused,
        bytes_come_as_they_stand_in_the_file_plain_or_compressed,
        hash_is_that_of_the_content_however_it_was_read,
        compressed_data_that_end_early_are_a_warning_and_damaged_ones_an_error,
        what_is_no_file_is_refused,
        text_is_shown_without_control_bytes_and_not_too_long,
        NULL,
    };

    return suite_run("trace_input", cases);
}
