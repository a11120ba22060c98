/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prodcons_replay FILE: runs every row of a table of producer/consumer cases through the virtqueue,
 * split (where the ring size allows) and packed, and compares with the results in the row.
 *
 *   ring, kp, kc                          slots and thresholds
 *   wp_ns, wc_ns, np_ns, nc_ns, sp_ns, sc_ns   times of producer, consumer, kick, call, start-ups
 *   simulated_ns_per_packet               to agree within 0.2 %
 *   kicks_per_packet, calls_per_packet    to agree within 0.002
 *
 * FILE is CSV, plain or gzip; columns go by their header names, others are ignored. Exit: 0 all
 * rows agree, 1 some do not, 2 wrong usage, 3 bad file, 4 the system failed.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/models/prodcons.h"

#define TIME_TOLERANCE_RATIO 0.002
#define COUNT_TOLERANCE      0.002
#define LONGEST_NS           1e9
#define COLUMNS_MOST         64

enum column { RING, WP, WC, NP, NC, SP, SC, KP, KC, TIME, KICKS, CALLS, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {
    "ring",
    "wp_ns",
    "wc_ns",
    "np_ns",
    "nc_ns",
    "sp_ns",
    "sc_ns",
    "kp",
    "kc",
    "simulated_ns_per_packet",
    "kicks_per_packet",
    "calls_per_packet",
};

struct table {
    const char *path;
    FILE *file;
    pid_t child; /* gunzip, or 0 */
    uint32_t line;
    char *text;
    size_t room;
    int place[COLUMN_COUNT]; /* field of each column */
    uint32_t fields;         /* of the header */
};

static _Noreturn void bad(const struct table *t, uint32_t line, const char *what, const char *which)
{
    fflush(stdout);
    fprintf(stderr, "%s:%u: error: %s%s%s%s\n", t->path, line, what, which != NULL ? " '" : "",
            which != NULL ? which : "", which != NULL ? "'" : "");
    exit(ERROR_INPUT);
}

static _Noreturn void failed(const char *what)
{
    fprintf(stderr, "prodcons_replay: error: %s: %s\n", what, strerror(errno));
    exit(ERROR_SYSTEM);
}

/* The read end of `gzip -dc <&fd`. */
static FILE *gunzip(struct table *t, FILE *packed)
{
    int ends[2];

    if (pipe(ends) != 0) {
        failed("pipe");
    }
    t->child = fork();
    if (t->child < 0) {
        failed("fork");
    }
    if (t->child == 0) {
        dup2(fileno(packed), STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        lseek(STDIN_FILENO, 0, SEEK_SET);
        execlp("gzip", "gzip", "-dc", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    fclose(packed);
    return fdopen(ends[0], "r");
}

static void table_open(struct table *t, const char *path)
{
    unsigned char magic[2] = {0, 0};

    *t = (struct table){.path = path};
    t->file = fopen(path, "r");
    if (t->file == NULL || (fread(magic, 1, 2, t->file) < 2 && ferror(t->file) != 0)) {
        fprintf(stderr, "%s: error: cannot be read: %s\n", path, strerror(errno));
        exit(ERROR_INPUT);
    }
    if (magic[0] == 0x1f && magic[1] == 0x8b) {
        t->file = gunzip(t, t->file);
        if (t->file == NULL) {
            failed("fdopen");
        }
    } else {
        rewind(t->file);
    }
}

/* Closes the file; a damaged archive is a bad file although its first rows were read. */
static void table_close(struct table *t)
{
    int status = 0;

    if (ferror(t->file) != 0) {
        failed(t->path);
    }
    fclose(t->file);
    free(t->text);
    if (t->child != 0) {
        if (waitpid(t->child, &status, 0) < 0) {
            failed("waitpid");
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            bad(t, t->line, "the gzip data cannot be unpacked", NULL);
        }
    }
}

/* The next line without its end, cut at commas; false at the end of the file. */
static bool table_next(struct table *t, char *field[], uint32_t *count)
{
    ssize_t length = getline(&t->text, &t->room, t->file);
    char *rest = t->text;

    if (length < 0) {
        return false;
    }
    t->line++;
    if (strlen(t->text) != (size_t)length) {
        bad(t, t->line, "a zero byte in the text", NULL);
    }
    t->text[strcspn(t->text, "\r\n")] = '\0';
    *count = 0;
    while (rest != NULL) {
        if (*count == COLUMNS_MOST) {
            bad(t, t->line, "too many columns", NULL);
        }
        field[(*count)++] = strsep(&rest, ",");
    }
    return true;
}

static void table_header(struct table *t)
{
    char *field[COLUMNS_MOST];

    if (!table_next(t, field, &t->fields)) {
        bad(t, 1, "empty file", NULL);
    }
    for (int c = 0; c < COLUMN_COUNT; c++) {
        t->place[c] = -1;
        for (uint32_t i = 0; i < t->fields; i++) {
            if (strcmp(field[i], column_names[c]) != 0) {
                continue;
            }
            if (t->place[c] >= 0) {
                bad(t, t->line, "two columns are named", column_names[c]);
            }
            t->place[c] = (int)i;
        }
        if (t->place[c] < 0) {
            bad(t, t->line, "no column", column_names[c]);
        }
    }
}

/* A plain decimal number; what strtod would take besides is refused. */
static double number(const struct table *t, const char *text, enum column column, double least,
                     double most, bool whole)
{
    char what[120];
    char *end = NULL;
    double value = strtod(text, &end);

    if (text[0] == '\0' || *end != '\0' || strspn(text, "0123456789.eE+-") != strlen(text)) {
        snprintf(what, sizeof what, "%s is not a number:", column_names[column]);
        bad(t, t->line, what, text);
    }
    if (!(value >= least && value <= most) || (whole && value != floor(value))) {
        snprintf(what, sizeof what, "%s must be %s, %g..%g:", column_names[column],
                 whole ? "a whole number" : "a number", least, most);
        bad(t, t->line, what, text);
    }
    return value;
}

static sim_time time_field(const struct table *t, char *const field[], enum column column)
{
    return sim_time_from_ns(number(t, field[t->place[column]], column, 0, LONGEST_NS, false));
}

static void read_row(const struct table *t, char *const field[], struct prodcons_params *params,
                     struct prodcons_result *expected)
{
    double ring = number(t, field[t->place[RING]], RING, 2, VIRTQUEUE_SIZE_MOST, true);

    params->ring = (uint32_t)ring;
    params->kp = (uint32_t)number(t, field[t->place[KP]], KP, 1, ring, true);
    params->kc = (uint32_t)number(t, field[t->place[KC]], KC, 1, ring, true);
    params->wp = time_field(t, field, WP);
    params->wc = time_field(t, field, WC);
    params->np = time_field(t, field, NP);
    params->nc = time_field(t, field, NC);
    params->sp = time_field(t, field, SP);
    params->sc = time_field(t, field, SC);
    *expected = (struct prodcons_result){
        .consumed = PRODCONS_PACKETS,
        .ns_per_packet = number(t, field[t->place[TIME]], TIME, 0, 1e15, false),
        .kicks_per_packet = number(t, field[t->place[KICKS]], KICKS, 0, 1e15, false),
        .calls_per_packet = number(t, field[t->place[CALLS]], CALLS, 0, 1e15, false),
    };
}

static bool agrees(const struct prodcons_result *got, const struct prodcons_result *expected)
{
    return got->consumed == expected->consumed &&
           fabs(got->ns_per_packet - expected->ns_per_packet) <=
               TIME_TOLERANCE_RATIO * expected->ns_per_packet &&
           fabs(got->kicks_per_packet - expected->kicks_per_packet) <= COUNT_TOLERANCE &&
           fabs(got->calls_per_packet - expected->calls_per_packet) <= COUNT_TOLERANCE;
}

/* Runs a row in each layout that its ring size allows; prints and returns false where one differs.
 */
static bool replay(const struct table *t, struct prodcons *p, const struct prodcons_params *params,
                   const struct prodcons_result *expected)
{
    static const char *const layout_names[] = {"split", "packed"};
    bool all = true;

    for (int layout = VIRTQUEUE_SPLIT; layout <= VIRTQUEUE_PACKED; layout++) {
        struct error error = {.kind = ERROR_NONE};
        struct prodcons_result got;

        if (layout == VIRTQUEUE_SPLIT && (params->ring & (params->ring - 1)) != 0) {
            continue;
        }
        if (!prodcons_run(p, params, (enum virtqueue_layout)layout, false, &got, &error)) {
            failed("a run");
        }
        if (!agrees(&got, expected)) {
            printf(
                "%s:%u: mismatch, %s ring: ns_per_packet %.6f for %.6f, kicks_per_packet %.6f for "
                "%.6f, calls_per_packet %.6f for %.6f, packets %u for %u\n",
                t->path, t->line, layout_names[layout], got.ns_per_packet, expected->ns_per_packet,
                got.kicks_per_packet, expected->kicks_per_packet, got.calls_per_packet,
                expected->calls_per_packet, got.consumed, expected->consumed);
            all = false;
        }
    }
    return all;
}

int main(int argc, char **argv)
{
    struct prodcons *p = malloc(sizeof *p);
    struct table t;
    char *field[COLUMNS_MOST];
    uint32_t count, rows = 0, mismatches = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: prodcons_replay FILE\n");
        free(p);
        return ERROR_USAGE;
    }
    if (p == NULL) {
        failed("memory");
    }
    table_open(&t, argv[1]);
    table_header(&t);
    while (table_next(&t, field, &count)) {
        struct prodcons_params params;
        struct prodcons_result expected;

        if (count != t.fields) {
            bad(&t, t.line, "the row has not as many fields as the header", NULL);
        }
        read_row(&t, field, &params, &expected);
        rows++;
        mismatches += !replay(&t, p, &params, &expected);
    }
    table_close(&t);
    if (rows == 0) {
        bad(&t, t.line, "no row", NULL);
    }
    free(p);
    printf("%u rows, %u mismatches\n", rows, mismatches);
    return mismatches == 0 ? 0 : ERROR_DIFFERS;
}
