/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_BYTES 4096
#define NOT_STARTED   127 /* exit code of the child when there is no gnuplot */

/* In the child: never returns. */
static void become_gnuplot(const char *folder, char *const argv[], int message)
{
    int null = open("/dev/null", O_RDWR);

    if (null < 0 || (folder && chdir(folder) != 0) || dup2(null, STDIN_FILENO) < 0 ||
        dup2(null, STDOUT_FILENO) < 0 || dup2(message, STDERR_FILENO) < 0) {
        _exit(NOT_STARTED);
    }
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("GNUTERM");
    setenv("LC_ALL", "C.UTF-8", 1); /* decimal points, UTF-8 text */
    execvp("gnuplot", argv);
    _exit(NOT_STARTED);
}

static int64_t seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Reads what the child says until it closes its end; false when the time is up. */
static bool listen_to(int fd, char *text, size_t bytes)
{
    int64_t end = seconds_now() + GNUPLOT_SECONDS_MOST;
    size_t used = 0;
    char surplus[256];

    text[0] = '\0';
    for (;;) {
        struct pollfd wait_for = {.fd = fd, .events = POLLIN};
        int64_t left = end - seconds_now();

        if (left <= 0) {
            return false;
        }
        if (poll(&wait_for, 1, (int)left * 1000) <= 0) {
            continue;
        }
        bool full = used + 1 >= bytes;
        ssize_t got =
            read(fd, full ? surplus : text + used, full ? sizeof surplus : bytes - 1 - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return true;
        }
        if (!full) {
            used += (size_t)got;
            text[used] = '\0';
        }
    }
}

/* Runs gnuplot; *status gets the status of waitpid. */
static bool run(const char *folder, char *const argv[], char *text, size_t bytes, int *status,
                struct error *error)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set_errno(error, ERROR_SYSTEM, "gnuplot");
    }
    pid_t child = fork();
    if (child < 0) {
        error_set_errno(error, ERROR_SYSTEM, "gnuplot");
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (child == 0) {
        become_gnuplot(folder, argv, ends[1]);
    }
    close(ends[1]);
    bool in_time = listen_to(ends[0], text, bytes);
    close(ends[0]);
    if (!in_time) {
        kill(child, SIGKILL);
    }
    while (waitpid(child, status, 0) < 0 && errno == EINTR) {
    }
    if (!in_time) {
        return error_set(error, ERROR_INPUT, "", "gnuplot did not finish in %d s",
                         GNUPLOT_SECONDS_MOST);
    }
    if (WIFEXITED(*status) && WEXITSTATUS(*status) == NOT_STARTED) {
        return error_set(error, ERROR_SYSTEM, "",
                         "gnuplot not found: install the package gnuplot-nox (or gnuplot)");
    }
    return true;
}

/* Said of a picture in which all values are equal, and of one of several lines that has no value
 * anywhere: nothing to worry about. */
static bool is_harmless(const char *line, size_t length)
{
    static const char text[] = "Warning: empty ";
    static const char skipped[] = "warning: Skipping data file with no valid points";

    return (length > sizeof text && strncmp(line, text, sizeof text - 1) == 0) ||
           memmem(line, length, skipped, sizeof skipped - 1) != NULL;
}

/* One line without runs of blanks; gnuplot marks a column with a line of "^", which means nothing
 * then. */
static void one_line(const char *text, char *message, size_t bytes)
{
    size_t used = 0;
    bool blank = true;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        bool skip = is_harmless(text, length);

        length += text[length] != '\0' ? 1 : 0;
        for (size_t i = 0; !skip && i < length && used + 1 < bytes; i++) {
            bool is_blank = (unsigned char)text[i] <= ' ' || text[i] == '^';

            if (!is_blank || !blank) {
                message[used++] = is_blank ? ' ' : text[i];
            }
            blank = is_blank;
        }
        text += length;
    }
    used -= used > 0 && message[used - 1] == ' ' ? 1 : 0;
    message[used] = '\0';
}

bool gnuplot_probe(struct error *error)
{
    char dash_d[] = "-d", dash_e[] = "-e", name[] = "gnuplot", set[] = "set terminal svg";
    char *argv[] = {name, dash_d, dash_e, set, NULL};
    char text[MESSAGE_BYTES];
    int status = 0;

    if (!run(NULL, argv, text, sizeof text, &status, error)) {
        return false;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return error_set(error, ERROR_SYSTEM, "",
                         "gnuplot has no terminal svg: install the package gnuplot-nox");
    }
    return true;
}

/* Is the file a whole SVG in which something is drawn? */
static bool is_whole_svg(const char *path)
{
    char tail[256];
    struct stat st;
    FILE *file = fopen(path, "rb");

    if (!file) {
        return false;
    }
    bool ok = fstat(fileno(file), &st) == 0 && st.st_size > 1000 &&
              fseek(file, -(long)(sizeof tail - 1), SEEK_END) == 0;
    if (ok) {
        size_t got = fread(tail, 1, sizeof tail - 1, file);
        tail[got] = '\0';
        ok = strstr(tail, "</svg>") != NULL;
    }
    fclose(file);
    return ok;
}

/* 'text' as a gnuplot literal; a quote inside is doubled. */
static void quote(const char *text, char *literal, size_t bytes)
{
    size_t used = 0;

    literal[used++] = '\'';
    for (const char *c = text; *c != '\0' && used + 3 < bytes; c++) {
        literal[used++] = *c;
        if (*c == '\'') {
            literal[used++] = '\'';
        }
    }
    literal[used++] = '\'';
    literal[used] = '\0';
}

bool gnuplot_draw(const char *folder, const char *script, const char *picture, char *message,
                  size_t bytes, struct error *error)
{
    char part[NAME_MAX + 16], literal[2 * NAME_MAX + 40], set[2 * NAME_MAX + 60];
    char part_path[PATH_MAX], path[PATH_MAX], text[MESSAGE_BYTES];
    char dash_d[] = "-d", dash_e[] = "-e", name[] = "gnuplot", file[NAME_MAX + 8];
    char *argv[] = {name, dash_d, dash_e, set, file, NULL};
    int status = 0;

    message[0] = '\0';
    snprintf(part, sizeof part, "%s.part", picture);
    quote(part, literal, sizeof literal);
    snprintf(set, sizeof set, "out = %s", literal);
    /* "./": a name that begins with "-" is no option. */
    snprintf(file, sizeof file, "./%s", script);
    snprintf(part_path, sizeof part_path, "%s/%s", folder, part);
    snprintf(path, sizeof path, "%s/%s", folder, picture);
    unlink(part_path);
    unlink(path);
    if (!run(folder, argv, text, sizeof text, &status, error)) {
        unlink(part_path);
        return false;
    }
    one_line(text, message, bytes);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        unlink(part_path);
        return error_set(error, ERROR_INPUT, "", "gnuplot: %s",
                         message[0] != '\0' ? message : "failed and did not say why");
    }
    if (!is_whole_svg(part_path)) {
        unlink(part_path);
        return error_set(error, ERROR_INPUT, "", "gnuplot left no whole picture%s%s",
                         message[0] != '\0' ? ": " : "; does the script draw to the file in out?",
                         message);
    }
    if (rename(part_path, path) != 0) {
        return error_set_errno(error, ERROR_SYSTEM, path);
    }
    return true;
}
