/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of a scenario: where they are looked for, that each is read once, that a run is known by
 * what is in them, and what is said when they are not what they were.
 */
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/study/experiment.h"
#include "sim/study/stored_config.h"
#include "sim/study/trace_set.h"
#include "tests/study/store_fixture.h"

#define TABLE "time,len,sg\n0.000001,1514,2\n0.000003,60,1\n0.000010,65226,18\n"
#define OTHER "time,len,sg\n0.000001,1514,2\n0.000004,60,1\n0.000010,65226,18\n"

static void put_file(const struct folder *folder, const char *name, const char *text)
{
    char path[400];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Opens a scenario of these members in the folder; NULL: refused. `said`: all problems, a line each,
 * if not NULL. */
static struct scenario *open_in(const struct folder *folder, const char *members, char *said,
                                size_t bytes)
{
    struct problems problems;
    struct scenario *scenario;
    char name[400], text[1200];
    size_t used = 0;

    snprintf(name, sizeof name, "%s/here.json", folder->path);
    snprintf(text, sizeof text, "{\"version\": 1, \"duration\": \"5us\", \"warmup\": \"0s\", %s}",
             members);
    problems_init(&problems);
    scenario = scenario_open_text(name, text, strlen(text), NULL, &problems);
    for (size_t i = 0; said && i < problems.count; i++) {
        used += (size_t)snprintf(said + used, bytes - used, "%s: %s\n", problems.list[i].error.path,
                                 problems.list[i].error.text);
    }
    problems_fini(&problems);
    return scenario;
}

static struct config *config_at(const struct scenario *scenario, size_t point)
{
    struct config *config = calloc(1, sizeof *config);

    ck_assert_ptr_nonnull(scenario);
    ck_assert_ptr_nonnull(config);
    scenario_config(scenario, point, 0, config);
    return config;
}

START_TEST(a_file_is_read_once_however_many_cases_name_it)
{
    struct folder folder;
    struct scenario *scenario;
    struct config *a, *b, *c;

    folder_init(&folder);
    put_file(&folder, "t.csv", TABLE);
    scenario = open_in(&folder,
                       "\"workload\": {\"type\": \"csv\", \"file\": \"t.csv\", \"loop\": true}, "
                       "\"cases\": {\"a\": {}, \"b\": {\"workload.file\": \"./t.csv\"}, "
                       "\"c\": {\"workload.order\": \"keep\"}}",
                       NULL, 0);
    a = config_at(scenario, 0);
    b = config_at(scenario, 1);
    c = config_at(scenario, 2);
    ck_assert_uint_eq(a->datapath.workload.trace->count, 3);
    ck_assert_ptr_eq(a->datapath.workload.trace, b->datapath.workload.trace);
    ck_assert_ptr_ne(a->datapath.workload.trace, c->datapath.workload.trace);
    ck_assert_uint_eq(scenario_trace_count(scenario), 2);
    ck_assert_ptr_nonnull(strstr(scenario_trace_note(scenario, 0), "t.csv: csv, 3 packets"));
    free(a);
    free(b);
    free(c);
    scenario_free(scenario);
    folder_fini(&folder);
}
END_TEST

START_TEST(a_capture_is_found_from_the_file_that_names_it)
{
    struct folder folder;
    struct scenario *scenario;
    struct config *config;
    char path[400];

    folder_init(&folder);
    snprintf(path, sizeof path, "%s/sub", folder.path);
    ck_assert_int_eq(mkdir(path, 0777), 0);
    put_file(&folder, "sub/t.csv", TABLE);
    put_file(&folder, "sub/base.json",
             "{\"workload\": {\"type\": \"csv\", \"file\": \"t.csv\", \"loop\": true}}");
    scenario = open_in(&folder, "\"include\": \"sub/base.json\"", NULL, 0);
    config = config_at(scenario, 0);
    ck_assert_ptr_nonnull(config->datapath.workload.trace);
    ck_assert_int_eq(config->trace.file[0], '/');
    free(config);
    scenario_free(scenario);
    folder_fini(&folder);
}
END_TEST

/* Runs go on from the copy that was made when the scenario was opened. */
START_TEST(a_capture_that_is_moved_away_stays_that_of_its_runs)
{
    struct folder folder;
    struct scenario *scenario;
    struct config *before, *after;
    char link[400], path[400];

    folder_init(&folder);
    put_file(&folder, "t.csv", TABLE);
    snprintf(path, sizeof path, "%s/t.csv", folder.path);
    snprintf(link, sizeof link, "%s/link.csv", folder.path);
    ck_assert_int_eq(symlink(path, link), 0);
    scenario = open_in(&folder,
                       "\"workload\": {\"type\": \"csv\", \"file\": \"./link.csv\", \"loop\": true}",
                       NULL, 0);
    before = config_at(scenario, 0);
    ck_assert_int_eq(remove(link), 0);
    ck_assert_int_eq(remove(path), 0);
    after = config_at(scenario, 0);
    ck_assert_ptr_nonnull(after->datapath.workload.trace);
    ck_assert_ptr_eq(before->datapath.workload.trace, after->datapath.workload.trace);
    ck_assert_str_eq(before->trace.sha256, after->trace.sha256);
    ck_assert_str_eq(before->trace.file, after->trace.file);
    free(before);
    free(after);
    scenario_free(scenario);
    folder_fini(&folder);
}
END_TEST

/* The identity of a run that replays this file. */
static void identity_of(const struct folder *folder, const char *file, char hex[SHA256_HEX_BYTES])
{
    char members[300];
    struct scenario *scenario;
    struct config *config;

    snprintf(members, sizeof members,
             "\"workload\": {\"type\": \"csv\", \"file\": \"%s\", \"loop\": true}", file);
    scenario = open_in(folder, members, NULL, 0);
    config = config_at(scenario, 0);
    store_identity(config, hex);
    free(config);
    scenario_free(scenario);
}

START_TEST(a_run_is_known_by_what_is_in_its_capture_and_not_by_its_name)
{
    struct folder folder;
    char a[SHA256_HEX_BYTES], b[SHA256_HEX_BYTES], c[SHA256_HEX_BYTES];

    folder_init(&folder);
    put_file(&folder, "a.csv", TABLE);
    put_file(&folder, "b.csv", TABLE);
    put_file(&folder, "c.csv", OTHER);
    identity_of(&folder, "a.csv", a);
    identity_of(&folder, "b.csv", b);
    identity_of(&folder, "c.csv", c);
    ck_assert_str_eq(a, b);
    ck_assert_str_ne(a, c);
    folder_fini(&folder);
}
END_TEST

/* What is said of these members of the workload (NULL: nothing), and whether it is refused. */
static void check_said(const char *workload, bool refused, const char *said)
{
    struct folder folder;
    struct scenario *scenario;
    char members[400], text[2000] = "";

    folder_init(&folder);
    put_file(&folder, "t.csv", TABLE);
    put_file(&folder, "same.csv", "time,len\n1,60\n1,60\n");
    put_file(&folder, "plain.csv", "time,len\n1,60\n1.000004,65226\n1.000006,65226\n");
    snprintf(members, sizeof members, "\"workload\": {%s}", workload);
    scenario = open_in(&folder, members, text, sizeof text);
    ck_assert_msg((scenario == NULL) == refused, "%s: %s", workload, text);
    ck_assert_msg(said ? strstr(text, said) != NULL : !text[0], "%s: no '%s' in: %s", workload,
                  said ? said : "", text);
    scenario_free(scenario);
    folder_fini(&folder);
}

START_TEST(what_cannot_be_replayed_is_refused_where_it_is_named)
{
    check_said("\"type\": \"csv\"", true, "workload.file: missing");
    check_said("\"type\": \"csv\", \"file\": \"no.csv\"", true, "workload.file: no.csv: ");
    check_said("\"type\": \"pcap\", \"file\": \"t.csv\"", true,
               "workload.file: t.csv: looks like csv text");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"sha256\": \"00\"", true,
               "workload.sha256: the content of workload.file has ");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"queue_filter\": \"first\"", true,
               "workload.queue_filter: first: all, or a number");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"sg_bytes\": 24", true,
               "workload.sg_bytes: 24: 16, 32");
    check_said("\"type\": \"csv\", \"file\": \"same.csv\", \"loop\": true", true,
               "workload.loop: all packets of the trace have one time");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"loop\": true, \"time_scale\": 0.0001", true,
               "is more than 1e9 packets/s");
}
END_TEST

START_TEST(a_capture_that_ends_in_the_warm_up_is_refused)
{
    check_said("\"type\": \"csv\", \"file\": \"t.csv\"}, \"cases\": {\"a\": {\"warmup\": \"9.5us\"}",
               true,
               "workload.file: nothing is measured: the capture ends after 9 us, in the warm-up of "
               "9.5 us");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\"}, \"cases\": {\"a\": {\"warmup\": \"9us\"}",
               false, "workload.file: the capture ends after 9 us of 14 us");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"loop\": true}, \"cases\": {\"a\": "
               "{\"warmup\": \"9.5us\"}",
               false, NULL);
}
END_TEST

START_TEST(a_missing_file_is_told_beside_other_mistakes)
{
    check_said("\"type\": \"trace\", \"replay\": \"mark\"", true, "workload.file: missing");
    check_said("\"type\": \"trace\", \"replay\": \"mark\"", true, "did you mean marks?");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"queue_filter\": 7", true,
               "workload.queue_filter: expected text, got number 7; write \"7\"");
}
END_TEST

START_TEST(a_model_that_was_not_chosen_is_said_where_another_gives_other_entries)
{
    check_said("\"type\": \"csv\", \"loop\": true, \"file\": \"plain.csv\"", false,
               "workload.sg_model: entries of 3 of 3 packets are not in the capture and come from a "
               "model, write; as sendfile 2 of them have others");
    check_said("\"type\": \"csv\", \"loop\": true, \"file\": \"plain.csv\", \"sg_model\": \"write\"",
               false, NULL);
    check_said("\"type\": \"csv\", \"loop\": true, \"file\": \"plain.csv\"}, \"sweep\": "
               "{\"workload.sg_model\": [\"write\", \"sendfile\"]",
               false, NULL);
    check_said("\"type\": \"csv\", \"loop\": true, \"file\": \"t.csv\"", false, NULL);
}
END_TEST

START_TEST(by_marks_the_sender_begins_again_unless_told_not_to)
{
    struct folder folder;
    struct scenario *scenario;
    struct config *config;

    folder_init(&folder);
    put_file(&folder, "t.csv", TABLE);
    scenario = open_in(&folder,
                       "\"workload\": {\"type\": \"csv\", \"file\": \"t.csv\"}, \"cases\": {"
                       "\"a\": {\"workload.replay\": \"marks\"}, \"b\": {}, "
                       "\"c\": {\"workload.replay\": \"marks\", \"workload.loop\": false}}",
                       NULL, 0);
    for (size_t i = 0; i < 3; i++) {
        config = config_at(scenario, i);
        ck_assert_int_eq(config->datapath.workload.replay.loop, i == 0);
        free(config);
    }
    scenario_free(scenario);
    folder_fini(&folder);
}
END_TEST

START_TEST(what_will_not_show_is_said)
{
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"time_scale\": 0.5", false,
               "workload.file: the capture ends after 4.5 us of 5 us");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"loop_gap\": \"1us\"", false,
               "workload.loop_gap: has no effect: workload.loop is false");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"size\": 60", false,
               "workload.size: has no effect: only with workload.type");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"frags\": 2", false,
               "workload.frags: has no effect");
    check_said("\"type\": \"csv\", \"file\": \"t.csv\", \"replay\": \"marks\", \"most_gap\": \"1us\"",
               false, "workload.most_gap: has no effect: only with workload.replay timing");
    check_said("\"type\": \"poisson\", \"file\": \"t.csv\"", false,
               "workload.file: has no effect: only with workload.type trace or pcap");
}
END_TEST

START_TEST(a_packet_of_more_fragments_than_the_kernel_allows_is_refused)
{
    struct folder folder;
    char said[2000] = "";

    folder_init(&folder);
    put_file(&folder, "t.csv", "time,len,sg\n1,60,1\n2,65226,19\n");
    ck_assert_ptr_null(open_in(&folder,
                               "\"workload\": {\"type\": \"csv\", \"file\": \"t.csv\"}", said,
                               sizeof said));
    ck_assert_msg(strstr(said, "MAX_SKB_FRAGS") != NULL, "%s", said);
    folder_fini(&folder);
}
END_TEST

/* A store with one run of t.csv. */
static struct store *stored(const struct folder *folder)
{
    struct experiment experiment;
    struct experiment_options options = {.threads = 1, .progress = PROGRESS_NONE};
    struct scenario *scenario =
        open_in(folder,
                "\"replications\": 1, \"workload\": {\"type\": \"csv\", \"file\": \"t.csv\", "
                "\"loop\": true}",
                NULL, 0);
    struct store *store = open_store(folder->store);
    struct problems problems;
    struct error error = {0};

    problems_init(&problems);
    ck_assert(experiment_run(&experiment, scenario, store, &options, &problems, &error));
    experiment_fini(&experiment);
    problems_fini(&problems);
    scenario_free(scenario);
    return store;
}

/* Reads the stored configuration back; the error's text, "" when there is none. */
static void read_back(struct store *store, struct error *error, uint64_t *packets)
{
    struct config *config = calloc(1, sizeof *config);
    struct trace_set *traces = trace_set_new();

    memset(error, 0, sizeof *error);
    ck_assert_ptr_nonnull(config);
    if (stored_config_read(config, store, 1, traces, error)) {
        *packets = config->datapath.workload.trace->count;
    }
    trace_set_free(traces);
    free(config);
}

START_TEST(a_stored_run_finds_its_capture_or_says_why_not)
{
    struct folder folder;
    struct store *store;
    struct error error;
    uint64_t packets = 0;
    char path[400];

    folder_init(&folder);
    put_file(&folder, "t.csv", TABLE);
    store = stored(&folder);
    read_back(store, &error, &packets);
    ck_assert_str_eq(error.text, "");
    ck_assert_uint_eq(packets, 3);
    put_file(&folder, "t.csv", OTHER);
    read_back(store, &error, &packets);
    ck_assert_msg(strstr(error.text, "is not what the run replayed") != NULL, "%s", error.text);
    snprintf(path, sizeof path, "%s/t.csv", folder.path);
    ck_assert_int_eq(remove(path), 0);
    read_back(store, &error, &packets);
    ck_assert_msg(strstr(error.text, "the run replays ") != NULL, "%s", error.text);
    store_close(store);
    folder_fini(&folder);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {a_file_is_read_once_however_many_cases_name_it,
                            a_capture_is_found_from_the_file_that_names_it,
                            a_capture_that_is_moved_away_stays_that_of_its_runs,
                            a_run_is_known_by_what_is_in_its_capture_and_not_by_its_name,
                            what_cannot_be_replayed_is_refused_where_it_is_named,
                            a_capture_that_ends_in_the_warm_up_is_refused,
                            a_missing_file_is_told_beside_other_mistakes,
                            a_model_that_was_not_chosen_is_said_where_another_gives_other_entries,
                            by_marks_the_sender_begins_again_unless_told_not_to,
                            what_will_not_show_is_said,
                            a_packet_of_more_fragments_than_the_kernel_allows_is_refused,
                            a_stored_run_finds_its_capture_or_says_why_not,
                            NULL};

    return suite_run("trace_set", cases);
}
