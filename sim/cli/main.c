/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command table, and the dispatch to one file per command. Only this file exits.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"

#define SET  "  --set PATH=VALUE    override a parameter (repeatable)\n"
#define CASE "  --case NAME         only this case (repeatable)\n"
#define VARY "  --vary PATH=RANGE   add or replace a sweep axis: 0..19, 0..1 step 0.1, 64..4096*2, a,b,c\n"
#define STRICT "  --strict            warnings are errors\n"
#define JSON "  --json              one JSON document on stdout\n"
#define JOBS "  -j N                threads (default: all CPUs)\n"

const struct command commands[] = {
    {"run", "run FILE [options]", "run a scenario without its axes and print its metrics",
     SET CASE
     "  --expect            verify the scenario's expectations; exit 1 when one fails\n"
     "  --store FILE        keep the runs in a store\n"
     "  --all               print every metric\n"
     "  --pcapng FILE       write what was on the simulated wire of the first case\n"
     "  --pcapng-packets N  at most so many packets of it (default 100000)\n"
     "  --timeline FILE     write what each party did, for a browser's trace viewer\n"
     "  --window A..B       in this stretch of simulated time (default: 100 us after the warm-up)\n"
     "  --variant NAME      of this variant (default: the first)\n" JSON JOBS STRICT,
     cmd_run},
    {"sweep", "sweep FILE [options]", "cross the axes of a scenario into a store; resumes by itself",
     SET CASE VARY
     "  --store FILE        the store (default: scenario name + .db)\n"
     "  --expect            verify the scenario's expectations; exit 1 when one fails\n"
     "  --all               print every point\n"
     "  --no-probes         do not run again what the answer rests on (fresh streams, ends of costs)\n"
     "  --all-probes        do, however many cases there are\n"
     "  --max-points N      refuse more runs than this (default 1000000)\n"
     "  --progress=json     progress as JSON lines on stderr\n"
     "  --force             accept runs of another model revision\n" JSON JOBS STRICT,
     cmd_sweep},
    {"plan", "plan FILE [options]", "say what a sweep would run and how long it takes",
     SET CASE VARY "  --max-points N      refuse more runs than this (default 1000000)\n" JSON JOBS STRICT,
     cmd_plan},
    {"report", "report STORE [options]", "draw a store into a self-contained HTML page",
     "  -o DIR              where to (default: store name + -report)\n"
     "  --plots DIR         where the plots are (default: the installed ones)\n",
     cmd_report},
    {"recommend", "recommend STORE [options]", "the value to choose: cheapest of those that reach the best",
     "  --parameter PATH    of this axis, or variant (default: the cache's threshold)\n"
     "  --tolerance PERCENT of a packet's guest time that is called nothing (default 0.1)\n" JSON,
     cmd_recommend},
    {"check", "check FILE... [options]", "validate scenarios without running them",
     SET "  --max-points N      refuse more runs than this (default 1000000)\n" JSON STRICT, cmd_check},
    {"show", "show FILE [options]", "print the effective configuration",
     "  --origin            where every value came from\n"
     "  --point N           of this point of the sweep\n"
     "  --variant NAME      of this variant\n" SET CASE VARY
     "  --max-points N      refuse more runs than this (default 1000000)\n" STRICT,
     cmd_show},
    {"params", "params [PATTERN] [options]", "list the parameters with ranges, units and sources",
     "  --schema            as a JSON Schema for editors\n"
     "  --markdown          as the reference page\n"
     "  --metrics           the page of metrics\n" JSON,
     cmd_params},
    {"profile", "profile FILE [options]", "guest time per packet by kernel symbol",
     SET CASE
     "  --published FILE    beside a published perf profile, with the difference\n" JSON JOBS STRICT,
     cmd_profile},
    {"validate", "validate [TABLE] [options]", "published figures against simulated ones, cell by cell",
     "  --plot FILE.svg     draw published against simulated; FILE.gp beside it draws it again\n" JSON JOBS,
     cmd_validate},
    {"capture", "capture guest|host [options]", "print a script that captures what trace reads",
     "  --dev NAME          network device (default: eth0 in a guest, tap0 on a host)\n"
     "  --seconds N         length of each of its measurements, 1..600 (default 10)\n"
     "  --mib N             memory for the trace, 1..1024 (default 32)\n"
     "The script runs as root, takes --dry-run, and puts back every setting it changes.\n",
     cmd_capture},
    {"calibrate", "calibrate TABLE [options]", "a cost table from perf profiles and measured rates",
     "  -o FILE             write the table here, for a scenario's include\n"
     "  --hide VARIANT      use no figure of this variant, and predict them\n"
     "  --ensemble N        from N starts, every choice of unknowns that meets the table\n"
     "  --worlds FILE       what such choices in a file say\n"
     "  --of NAME           the ensemble of the table (default: its first)\n" JSON JOBS,
     cmd_calibrate},
    {"list", "list STORE [options]", "what a store holds", "  --runs              every run\n" JSON,
     cmd_list},
    {"export", "export STORE [options]", "all results in a fixed order, the same bytes for the same results",
     JSON, cmd_export},
    {"rerun", "rerun STORE RUN_ID|--all", "run stored runs again and compare fingerprints",
     "  --all               every run of the store\n", cmd_rerun},
    {"trace", "trace info|convert|fit|plot FILE [options]",
     "what a capture holds, the capture as CSV, as a workload, as pictures",
     "  -o FILE             convert, fit: write here (default: standard output)\n"
     "  -o DIR              plot: the folder for pictures, data and scripts\n"
     "  --direction tx|rx   only these packets (default: all but received ones; convert: all)\n"
     "  --queue N           only packets of this queue\n"
     "  --queues N          refuse a packet of queue N or above\n"
     "  --order HOW         sort (default), keep or reject packets that are out of order\n"
     "  --size BYTES        of packets whose size is not recorded (pktgen's in driver traces)\n"
     "  --mac ADDRESS       pcap: packets from this hardware address were sent, others received\n"
     "  --dev NAME          only this network device\n"
     "  --format NAME       of the file (default: by its first bytes)\n"
     "  --len-column NAME   CSV: the column of lengths\n"
     "  --delimiter C       CSV: what separates columns (default: found)\n"
     "  --sg-bytes 16|32    driver traces: table bytes an entry (default: guessed)\n"
     "  --tsc-hz HZ         driver traces with a counter as clock\n"
     "  --frag-bytes BYTES  entries that are not recorded: blocks that fragments are cut from\n"
     "                      (default 32768: write; 4096: sendfile)\n"
     "  --linear-bytes N    and header bytes where none are seen (default 66)\n"
     "  --max-frags N       and fragments at most (default 17)\n"
     "  --header-entry      the virtio-net header has an entry of its own\n" JSON STRICT,
     cmd_trace},
    {"help", "help [COMMAND]", "this list, or the options of a command", "", cmd_help},
    {0},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct command *command;

    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write: command_finish() */
    if (argc < 2) {
        cmd_help(1, argv);
        return ERROR_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("vqsim %s\n", VQSIM_VERSION);
        return command_finish(ERROR_NONE);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return cmd_help(1, argv + 1);
    }
    command = command_find(argv[1]);
    if (!command) {
        return command_unknown(argv[1]);
    }
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            char *help[] = {argv[0], argv[1], NULL};

            return cmd_help(2, help);
        }
    }
    return command->run(argc - 1, argv + 1);
}
