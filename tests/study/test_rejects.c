/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the lists of tests/rejects: every file behaves as its line says, in well under a second,
 * and every file has a line.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/study/scenario.h"
#include "tests/suite.h"

struct expected {
    char verdict[16], file[100], place[24], text[300];
};

static bool read_line(FILE *list, struct expected *e)
{
    char line[600];

    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && line[0] != '#') {
            ck_assert_msg(sscanf(line, "%15s %99s %23s %299[^\n]", e->verdict, e->file, e->place,
                                 e->text) == 4,
                          "%s", line);
            return true;
        }
    }
    return false;
}

/* Whether one of the problems is the expected one; the text is looked for in "PATH: text". */
static bool finds(const struct expected *e, const struct problems *problems, bool warning)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *p = &problems->list[i];
        char place[24], whole[700];

        snprintf(place, sizeof place, "%u:%u", p->error.line, p->error.column);
        snprintf(whole, sizeof whole, "%s: %s", p->error.path, p->error.text);
        if (p->warning == warning && strstr(whole, e->text) &&
            (e->place[0] == '-' || strcmp(place, e->place) == 0)) {
            return true;
        }
    }
    return false;
}

static void print_all(const struct problems *problems)
{
    char line[1200];

    for (size_t i = 0; i < problems->count; i++) {
        error_format(&problems->list[i].error, problems->list[i].warning ? "warning" : "error",
                     line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
}

static bool judge(const struct expected *e, const char *folder, bool strict)
{
    struct scenario_options options = {.strict = strict};
    struct problems problems;
    struct scenario *scenario;
    char path[400];
    clock_t start = clock();
    bool accept = strcmp(e->verdict, "accept") == 0, warn = strcmp(e->verdict, "warn") == 0, ok;
    double seconds;

    snprintf(path, sizeof path, TESTS_DIR "/rejects/%s/%s", folder, e->file);
    problems_init(&problems);
    scenario = scenario_open(path, &options, &problems);
    seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (accept) {
        ok = scenario && problems.count == 0;
    } else if (warn && !strict) {
        ok = scenario && problems.errors == 0 && finds(e, &problems, true);
    } else {
        ok = !scenario && problems.errors > 0 && finds(e, &problems, false);
    }
    if (!ok || seconds > 1) {
        fprintf(stderr, "%s%s: expected %s %s %s, took %.3f s:\n", e->file,
                strict ? " (strict)" : "", e->verdict, e->place, e->text, seconds);
        print_all(&problems);
    }
    scenario_free(scenario);
    problems_fini(&problems);
    return ok && seconds <= 1;
}

static FILE *open_list(const char *folder)
{
    char path[400];
    FILE *list;

    snprintf(path, sizeof path, TESTS_DIR "/rejects/%s.expect", folder);
    list = fopen(path, "r");
    ck_assert_msg(list != NULL, "%s", path);
    return list;
}

static void walk(const char *folder, bool strict)
{
    FILE *list = open_list(folder);
    struct expected e;
    int bad = 0;

    while (read_line(list, &e)) {
        bad += !judge(&e, folder, strict);
    }
    fclose(list);
    ck_assert_int_eq(bad, 0);
}

static bool has_line(const char *folder, const char *file)
{
    FILE *list = open_list(folder);
    struct expected e;
    bool found = false;

    while (read_line(list, &e)) {
        found = found || strcmp(e.file, file) == 0;
    }
    fclose(list);
    return found;
}

static void check_complete(const char *folder)
{
    char path[400];
    DIR *dir;
    struct dirent *entry;

    snprintf(path, sizeof path, TESTS_DIR "/rejects/%s", folder);
    dir = opendir(path);
    ck_assert(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        ck_assert_msg(entry->d_name[0] == '.' || has_line(folder, entry->d_name),
                      "%s/%s has no line", folder, entry->d_name);
    }
    closedir(dir);
}

START_TEST(rejects_json_behaves_as_listed)
{
    walk("json", false);
    walk("json", true);
}
END_TEST

START_TEST(rejects_scenario_behaves_as_listed)
{
    walk("scenario", false);
    walk("scenario", true);
}
END_TEST

START_TEST(rejects_lists_are_complete)
{
    check_complete("json");
    check_complete("scenario");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {rejects_json_behaves_as_listed, rejects_scenario_behaves_as_listed,
                            rejects_lists_are_complete, NULL};

    return suite_run("rejects", cases);
}
