/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/command.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/suggest.h"

int command_usage(const char *name, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "vqsim: error: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nusage: vqsim %s\n", command_find(name)->usage);
    return ERROR_USAGE;
}

int command_bad_option(const char *name, int code, char **argv)
{
    const char *text = argv[optind - 1];

    if (code == ':') {
        return command_usage(name, "%s needs a value", text);
    }
    if (optopt != 0 && strncmp(text, "--", 2) == 0) {
        return command_usage(name, "%s takes no value", text);
    }
    if (optopt > ' ' && optopt < 127) {
        return command_usage(name, "unknown option '-%c'", optopt); /* perhaps one of several */
    }
    return command_usage(name, "unknown option '%s'", text);
}

int command_fail(const struct error *error)
{
    char line[1200];

    error_format(error, "error", line, sizeof line);
    fprintf(stderr, "%s\n", line);
    return (int)error->kind;
}

int command_problems(const struct problems *problems)
{
    char line[1200];

    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *p = &problems->list[i];

        error_format(&p->error, p->warning ? "warning" : "error", line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    return problems->errors > 0 ? ERROR_INPUT : ERROR_NONE;
}

/* errno may be that of a later call; the pipe itself tells as well when it has no reader. */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int command_finish(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (reader_is_gone()) {
            return ERROR_SYSTEM; /* `| head` has seen what it wanted */
        }
        fprintf(stderr, "vqsim: error: cannot write the result: %s\n", strerror(errno));
        return ERROR_SYSTEM;
    }
    return code;
}

int command_unknown(const char *name)
{
    struct suggest suggest;
    char text[SUGGEST_TEXT_BYTES];

    suggest_init(&suggest, name);
    for (const struct command *c = commands; c->name; c++) {
        suggest_offer(&suggest, c->name);
    }
    fprintf(stderr, "vqsim: error: no command '%.40s'%s\nTry 'vqsim help'.\n", name,
            suggest_text(&suggest, text));
    return ERROR_USAGE;
}
