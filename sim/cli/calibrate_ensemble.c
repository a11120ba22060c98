/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/calibrate_ensemble.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/ensemble_table.h"
#include "sim/study/ensemble_file.h"
#include "sim/study/text_file.h"

/* The ensemble that --of names; NULL: a usage error was printed. */
static const struct ensemble_plan *find(const struct table_args *args,
                                        const struct published *published, int *code)
{
    for (size_t i = 0; i < published->ensembles; i++) {
        if (!args->of || strcmp(published->ensemble[i].name, args->of) == 0) {
            return &published->ensemble[i];
        }
    }
    *code = published->ensembles == 0
                ? command_usage("calibrate", "%s has no ensembles", published->table)
                : command_usage("calibrate", "--of %s: the table's ensembles are '%s'%s", args->of,
                                published->ensemble[0].name,
                                published->ensembles > 1 ? " and others" : "");
    return NULL;
}

static bool write_worlds(const struct ensemble_plan *plan, const struct ensemble_search *search,
                         const struct table_args *args, const char *table, struct error *error)
{
    char *text = ensemble_file_text(plan, search, table);
    bool ok = text_file_write(args->out, text, error);

    free(text);
    return ok;
}

/* Searches or reads, writes where asked to, and looks at what there is. */
static bool work(const struct table_args *args, const char *table, const struct ensemble *e,
                 struct ensemble_search *search, struct ensemble_summary *summary,
                 struct problems *problems, struct error *error)
{
    struct progress progress;
    bool ok = true;

    progress_init(&progress, stderr, args->json ? PROGRESS_NONE : PROGRESS_AUTO);
    if (args->worlds) {
        ok = ensemble_file_read(search, e->plan, args->worlds, problems);
    } else {
        ok =
            ensemble_search(search, e, args->starts, args->experiment.threads, &progress, error) &&
            (!args->out || search->count == 0 || write_worlds(e->plan, search, args, table, error));
    }
    ok = ok && ensemble_summarise(summary, e, search->world, search->count,
                                  args->experiment.threads, &progress, error);
    progress_end(&progress);
    return ok;
}

int calibrate_ensemble(const struct table_args *args, const struct published *published)
{
    struct ensemble_search search = {0};
    struct ensemble_summary summary = {0};
    struct ensemble e = {0};
    struct problems problems;
    struct error error = {0};
    int code = 0;
    const struct ensemble_plan *plan = find(args, published, &code);

    if (!plan) {
        return code;
    }
    problems_init(&problems);
    if (!ensemble_open(&e, plan, &problems) ||
        !work(args, published->table, &e, &search, &summary, &problems, &error)) {
        code = error.kind == ERROR_NONE ? command_problems(&problems) : command_fail(&error);
    } else {
        if (args->json) {
            ensemble_json(published->table, plan, &search, &summary);
        } else {
            ensemble_print_all(published->table, plan, &search, &summary);
        }
        code = command_finish(search.count > 0 ? 0 : ERROR_DIFFERS);
    }
    problems_fini(&problems);
    ensemble_summary_fini(&summary);
    ensemble_search_fini(&search);
    ensemble_close(&e);
    return code;
}
