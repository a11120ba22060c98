/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim export: the results of a store as CSV or JSON, the same bytes for the same results. */
#include "sim/cli/command.h"
#include "sim/cli/study_args.h"

int cmd_export(int argc, char **argv)
{
    struct study_args args;
    struct error error = {0};
    struct store *store;
    int code = study_args_read(&args, argc, argv, STUDY_JSON, 1);

    if (code == 0) {
        store = store_open(args.file, false, &error);
        if (store && store_export(store, args.json ? STORE_JSON : STORE_CSV, stdout, &error)) {
            code = command_finish(0);
        } else {
            code = command_fail(&error);
        }
        store_close(store);
    }
    study_args_fini(&args);
    return code;
}
