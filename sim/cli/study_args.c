/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/study_args.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"

#define SHOWN_WARNINGS 10 /* of those that the runs themselves gave */

static const struct {
    struct option option;
    unsigned flag;
} table[] = {
    {{"set", required_argument, NULL, 's'}, STUDY_SET},
    {{"case", required_argument, NULL, 'c'}, STUDY_SET},
    {{"vary", required_argument, NULL, 'v'}, STUDY_VARY},
    {{"expect", no_argument, NULL, 'e'}, STUDY_EXPECT},
    {{"store", required_argument, NULL, 'S'}, STUDY_STORE},
    {{"json", no_argument, NULL, 'J'}, STUDY_JSON},
    {{"threads", required_argument, NULL, 'j'}, STUDY_THREADS},
    {{"strict", no_argument, NULL, 't'}, STUDY_STRICT},
    {{"max-points", required_argument, NULL, 'm'}, STUDY_MAX_POINTS},
    {{"progress", required_argument, NULL, 'p'}, STUDY_PROGRESS},
    {{"force", no_argument, NULL, 'f'}, STUDY_FORCE},
    {{"all", no_argument, NULL, 'a'}, STUDY_ALL},
    {{"runs", no_argument, NULL, 'r'}, STUDY_RUNS},
    {{"no-probes", no_argument, NULL, 'n'}, STUDY_PROBES},
    {{"all-probes", no_argument, NULL, 'A'}, STUDY_PROBES},
    {{"published", required_argument, NULL, 'P'}, STUDY_PUBLISHED},
    {{"pcapng", required_argument, NULL, 'o'}, STUDY_WATCH},
    {{"pcapng-packets", required_argument, NULL, 'N'}, STUDY_WATCH},
    {{"timeline", required_argument, NULL, 'T'}, STUDY_WATCH},
    {{"window", required_argument, NULL, 'w'}, STUDY_WATCH},
    {{"variant", required_argument, NULL, 'V'}, STUDY_WATCH},
};
#define TABLE_COUNT (sizeof table / sizeof table[0])

/* A whole number in 1..most, nothing before or after it. */
static bool read_count(const char *text, uint64_t most, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *value >= 1 && *value <= most;
}

static int take_number(struct study_args *args, const char *command, int option)
{
    uint64_t value;

    if (option == 'j') {
        if (!read_count(optarg, EXPERIMENT_THREADS_MOST, &value)) {
            return command_usage(command, "-j %s: a number of threads is needed, 1..%d", optarg,
                                 EXPERIMENT_THREADS_MOST);
        }
        args->experiment.threads = (uint32_t)value;
        return 0;
    }
    if (!read_count(optarg, UINT64_MAX, &value)) {
        return command_usage(command, "--%s %s: a whole number above 0 is needed",
                             option == 'N' ? "pcapng-packets" : "max-points", optarg);
    }
    *(option == 'N' ? &args->watch.packets : &args->scenario.most_points) = value;
    return 0;
}

/* What a watched run is to show, and where. */
static int take_watch(struct study_args *args, const char *command, int option)
{
    switch (option) {
    case 'o':
        args->watch.pcapng = optarg;
        return optarg[0] ? 0 : command_usage(command, "--pcapng needs a file name");
    case 'T':
        args->watch.timeline = optarg;
        return optarg[0] ? 0 : command_usage(command, "--timeline needs a file name");
    case 'w':
        args->watch.window = optarg;
        return 0;
    case 'V':
        args->watch.variant = optarg;
        return 0;
    default:
        return take_number(args, command, option);
    }
}

static int take(struct study_args *args, const char *command, int option)
{
    switch (option) {
    case 's':
        args->set[args->scenario.set_count++] = optarg;
        return 0;
    case 'c':
        args->cases[args->scenario.case_count++] = optarg;
        return 0;
    case 'v':
        args->vary[args->scenario.vary_count++] = optarg;
        return 0;
    case 'e':
        args->expect = true;
        return 0;
    case 'S':
        args->store = optarg;
        return optarg[0] ? 0 : command_usage(command, "--store needs a file name");
    case 'P':
        args->published = optarg;
        return optarg[0] ? 0 : command_usage(command, "--published needs a file name");
    case 'J':
        args->json = true;
        return 0;
    case 't':
        args->scenario.strict = true;
        return 0;
    case 'p':
        if (strcmp(optarg, "json") != 0 && strcmp(optarg, "none") != 0) {
            return command_usage(command, "--progress=%s: one of json, none", optarg);
        }
        args->experiment.progress = strcmp(optarg, "json") == 0 ? PROGRESS_JSON : PROGRESS_NONE;
        return 0;
    case 'f':
        args->force = true;
        return 0;
    case 'a':
        args->all = true;
        return 0;
    case 'r':
        args->runs = true;
        return 0;
    case 'n':
        args->no_probes = true;
        return 0;
    case 'A':
        args->all_probes = true;
        return 0;
    default:
        return take_watch(args, command, option);
    }
}

static int read_options(struct study_args *args, int argc, char **argv, unsigned allowed)
{
    struct option options[TABLE_COUNT + 1] = {0};
    size_t count = 0;
    int option;

    for (size_t i = 0; i < TABLE_COUNT; i++) {
        if (table[i].flag & allowed) {
            options[count++] = table[i].option;
        }
    }
    optind = 0;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":j:", options, NULL)) != -1) {
        int code;

        if (option == 'j' && !(allowed & STUDY_THREADS)) {
            return command_usage(argv[0], "unknown option '-j'");
        }
        if (option == ':' || option == '?') {
            return command_bad_option(argv[0], option, argv);
        }
        code = take(args, argv[0], option);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

int study_args_read(struct study_args *args, int argc, char **argv, unsigned allowed, int most)
{
    int code;

    memset(args, 0, sizeof *args);
    args->set = calloc((size_t)argc + 1, sizeof *args->set);
    args->vary = calloc((size_t)argc + 1, sizeof *args->vary);
    args->cases = calloc((size_t)argc + 1, sizeof *args->cases);
    if (!args->set || !args->vary || !args->cases) {
        abort();
    }
    code = read_options(args, argc, argv, allowed);
    if (code != 0) {
        return code;
    }
    args->scenario.set = args->set;
    args->scenario.vary = args->vary;
    args->scenario.cases = args->cases;
    if (argc - optind < 1) {
        return command_usage(argv[0], "a file is needed");
    }
    if (argc - optind > most) {
        return command_usage(argv[0], "one argument too many: '%s'", argv[optind + most]);
    }
    args->file = argv[optind];
    args->argument = argc - optind > 1 ? argv[optind + 1] : NULL;
    return 0;
}

void study_args_fini(struct study_args *args)
{
    free(args->set);
    free(args->vary);
    free(args->cases);
}

struct scenario *study_scenario(const struct study_args *args, struct problems *problems, int *code)
{
    struct scenario *scenario = scenario_open(args->file, &args->scenario, problems);

    *code = command_problems(problems);
    if (!scenario && *code == 0) {
        *code = ERROR_INPUT;
    }
    if (*code != 0) {
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

struct store *study_store(const struct study_args *args, const char *name, struct error *error)
{
    struct store *store;

    signal(SIGXFSZ, SIG_IGN); /* a file size limit is an error to report, not a reason to die */
    store = store_open(name, true, error);
    if (!store) {
        return NULL;
    }
    if (store_note(store)) {
        fprintf(stderr, "vqsim: note: %s\n", store_note(store));
    }
    if (!args->force && !store_check_revision(store, error)) {
        store_close(store);
        return NULL;
    }
    return store;
}

/* Warnings that came up while it ran. */
static void print_warnings(const struct problems *problems, size_t from)
{
    char line[1200];

    for (size_t i = from; i < problems->count && i < from + SHOWN_WARNINGS; i++) {
        error_format(&problems->list[i].error, "warning", line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    if (problems->count > from + SHOWN_WARNINGS) {
        fprintf(stderr, "vqsim: warning: and %zu more like these\n",
                problems->count - from - SHOWN_WARNINGS);
    }
}

int study_run(const struct study_args *args, const char *what, struct experiment *experiment,
              const struct scenario *scenario, struct store *store, struct problems *problems)
{
    struct error error = {0};
    size_t before = problems->count;
    bool ok = experiment_run(experiment, scenario, store, &args->experiment, problems, &error);

    if (!ok) {
        return command_fail(&error);
    }
    print_warnings(problems, before);
    if (args->store) {
        fprintf(stderr, "vqsim: %scomputed %" PRIu64 ", reused %" PRIu64 "%s\n", what,
                experiment->computed, experiment->reused,
                experiment->signal ? "; interrupted, the same command computes the rest" : "");
    } else if (experiment->signal) {
        fprintf(stderr, "vqsim: interrupted\n");
    }
    return experiment->signal ? 128 + experiment->signal : 0;
}
