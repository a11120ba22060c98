/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a command with its output thrown away and prints what it took: peak resident memory in KiB,
 * seconds of CPU time.
 *
 *   bench_child COMMAND [ARGUMENT...]
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(char **command)
{
    int nowhere = open("/dev/null", O_WRONLY);

    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0) {
        execvp(command[0], command);
    }
    perror(command[0]);
    _exit(127);
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status = 0;
    pid_t child;

    if (argc < 2) {
        fprintf(stderr, "usage: bench_child COMMAND [ARGUMENT...]\n");
        return 2;
    }
    child = fork();
    if (child == 0) {
        become(argv + 1);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        return 1;
    }
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("%ld %.3f\n", usage.ru_maxrss,
           (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6 +
               (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6);
    return 0;
}
