/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * protocol: does a notification protocol lose a wake-up? Tries every order of steps, store buffers
 * included (tests/protocol/machine.h), and prints verdicts and the shortest traces.
 *
 *   protocol                          all protocols and barriers: a Markdown table; hang, steps
 * (states) protocol NAME                     one of them, and the shortest trace of each kind of
 * hang protocol NAME PRODUCER CONSUMER [no-recheck]   one case: none, read, write or full barriers
 *
 * Exit: 0 printed, 2 wrong usage. A hang is a result.
 */
#include "tests/protocol/explorer.h"
#include "tests/protocol/protocols.h"

static const char *party_name(const struct explorer *e, uint32_t party)
{
    return e->machine.protocol->parties[party].name;
}

static bool is_asleep(const struct explorer *e, const struct machine_state *s, uint32_t party)
{
    return machine_next(&e->machine, s, party)->op == OP_SLEEP && !s->party[party].woken;
}

/* What a step does, in the words of the protocol. */
static void describe(const struct explorer *e, const struct machine_state *before,
                     const struct machine_state *after, struct machine_step step, char *text,
                     size_t size)
{
    const char *const *names = e->machine.protocol->variables;
    const struct party_state *p = &before->party[step.party], *q = &after->party[step.party];
    const struct instruction *i = machine_next(&e->machine, before, step.party);
    enum barrier barrier = e->machine.options.barriers[step.party];

    if (step.drain) {
        snprintf(text, size, "  (its %s = %u reaches memory)", names[p->buffer[0].var],
                 p->buffer[0].value);
        return;
    }
    switch (i->op) {
    case OP_LOAD:
        snprintf(text, size, "load %s: %u; %s", names[i->var],
                 machine_read(before, step.party, i->var), i->note);
        break;
    case OP_STORE:
    case OP_STORE_REGISTER:
        snprintf(text, size, "store %s = %u into its buffer; %s", names[i->var],
                 q->buffer[q->buffered - 1].value, i->note);
        break;
    case OP_BARRIER:
        snprintf(text, size, "%s barrier%s", barrier_names[barrier],
                 barrier != BARRIER_FULL && p->buffered > 0 ? ": the buffer stays as it is" : "");
        break;
    case OP_RMW:
        snprintf(text, size, "locked %s: %u -> %u; %s", names[i->var], before->memory[i->var],
                 after->memory[i->var], i->note);
        break;
    case OP_WAKE:
        snprintf(text, size, "wake %s; %s", party_name(e, i->value), i->note);
        break;
    default:
        snprintf(text, size, "%s", i->note);
        break;
    }
}

static void print_memory(const struct explorer *e, const struct machine_state *s)
{
    for (uint32_t v = 0; v < e->machine.variable_count; v++) {
        printf(" %s=%u", e->machine.protocol->variables[v], s->memory[v]);
    }
}

/* Who waits for what, at the end of a trace. */
static void print_hang(const struct explorer *e, const struct machine_state *s)
{
    for (uint32_t g = 0; g < e->machine.protocol->goal_count; g++) {
        const struct goal *goal = &e->machine.protocol->goals[g];
        uint8_t seen = s->party[goal->party].reg[goal->reg];

        if (s->memory[goal->var] != seen) {
            printf("  hang: %s is %u, %s has seen %u and sleeps; nobody will wake it\n",
                   e->machine.protocol->variables[goal->var], s->memory[goal->var],
                   party_name(e, goal->party), seen);
        }
    }
}

static void print_trace(const struct explorer *e)
{
    struct machine_step steps[EXPLORER_TRACE];
    uint32_t length = explorer_trace(e, e->hung, steps);
    struct machine_state s = machine_start(&e->machine);
    char text[128];

    printf("   0  %-9s  %-58s", "", "");
    print_memory(e, &s);
    printf("\n");
    for (uint32_t n = 0; n < length; n++) {
        struct machine_state before = s;

        machine_take(&e->machine, &s, steps[n]);
        describe(e, &before, &s, steps[n], text, sizeof(text));
        if (!steps[n].drain && is_asleep(e, &s, steps[n].party)) {
            strncat(text, "; sleeps", sizeof(text) - strlen(text) - 1);
        }
        printf("%4u  %-9s  %-58s", n + 1, party_name(e, steps[n].party), text);
        print_memory(e, &s);
        printf("\n");
    }
    print_hang(e, &s);
}

static void print_case(const struct protocol *protocol, const struct machine_options *options)
{
    struct explorer e;

    explorer_init(&e, protocol, options);
    printf("%s: %s %s, %s %s, %s: ", protocol->name, protocol->parties[protocol->producer].name,
           barrier_names[options->barriers[protocol->producer]],
           protocol->parties[protocol->consumer].name,
           barrier_names[options->barriers[protocol->consumer]],
           options->recheck ? "re-check" : "no re-check");
    if (e.hung == EXPLORER_NONE) {
        printf("never hangs, %u states\n", e.count);
    } else {
        struct machine_step steps[EXPLORER_TRACE];

        printf("hangs after %u steps, %u states\n", explorer_trace(&e, e.hung, steps), e.count);
        print_trace(&e);
    }
    explorer_fini(&e);
}

static void print_cell(const struct protocol *protocol, enum barrier producer,
                       enum barrier consumer, bool recheck)
{
    struct machine_options options = protocol_options(protocol, producer, consumer, recheck);
    struct machine_step steps[EXPLORER_TRACE];
    struct explorer e;

    explorer_init(&e, protocol, &options);
    if (e.hung == EXPLORER_NONE) {
        printf(" never (%u) |", e.count);
    } else {
        printf(" **hang**, %u (%u) |", explorer_trace(&e, e.hung, steps), e.count);
    }
    explorer_fini(&e);
}

static void print_header(void)
{
    printf("| protocol | producer's barrier | consumer: none | read | full | full, no re-check |\n"
           "|---|---|---|---|---|---|\n");
}

/* A row a barrier of the producer; a write barrier does what a read barrier does. */
static void print_rows(const struct protocol *protocol)
{
    static const enum barrier kinds[] = {BARRIER_NONE, BARRIER_READ, BARRIER_FULL};
    bool down = protocol_has(protocol, protocol->producer, OP_BARRIER);
    bool across = protocol_has(protocol, protocol->consumer, OP_BARRIER);
    bool recheck = protocol_has(protocol, protocol->consumer, OP_UNLESS_RECHECK);

    for (uint32_t p = down ? 0 : 2; p < 3; p++) {
        printf("| `%s` | %s |", protocol->name, down ? barrier_names[kinds[p]] : "-");
        for (uint32_t c = 0; c < 3; c++) {
            if (across || c == 2) {
                print_cell(protocol, kinds[p], kinds[c], true);
            } else {
                printf(" |");
            }
        }
        if (recheck) {
            print_cell(protocol, kinds[p], BARRIER_FULL, false);
            printf("\n");
        } else {
            printf(" |\n");
        }
    }
}

/* One side's barrier missing or of the wrong kind, and none missing but the re-check. */
static void print_one(const struct protocol *protocol)
{
    static const struct {
        enum barrier producer, consumer;
        bool recheck;
    } cases[] = {{BARRIER_NONE, BARRIER_FULL, true},
                 {BARRIER_READ, BARRIER_FULL, true},
                 {BARRIER_FULL, BARRIER_READ, true},
                 {BARRIER_FULL, BARRIER_FULL, false},
                 {BARRIER_FULL, BARRIER_FULL, true}};
    bool down = protocol_has(protocol, protocol->producer, OP_BARRIER);
    bool across = protocol_has(protocol, protocol->consumer, OP_BARRIER);
    bool recheck = protocol_has(protocol, protocol->consumer, OP_UNLESS_RECHECK);

    printf("%s: %s\n\n", protocol->name, protocol->title);
    print_header();
    print_rows(protocol);
    printf("\n");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct machine_options options =
            protocol_options(protocol, cases[i].producer, cases[i].consumer, cases[i].recheck);

        if ((cases[i].producer == BARRIER_FULL || down) &&
            (cases[i].consumer == BARRIER_FULL || across) && (cases[i].recheck || recheck)) {
            print_case(protocol, &options);
            printf("\n");
        }
    }
}

static enum barrier barrier_find(const char *name)
{
    uint32_t kind = 0;

    while (kind < BARRIER_KINDS && strcmp(barrier_names[kind], name) != 0) {
        kind++;
    }
    return (enum barrier)kind;
}

int main(int argc, char **argv)
{
    const struct protocol *protocol = argc > 1 ? protocol_find(argv[1]) : NULL;
    enum barrier producer = argc > 3 ? barrier_find(argv[2]) : BARRIER_FULL;
    enum barrier consumer = argc > 3 ? barrier_find(argv[3]) : BARRIER_FULL;

    if (argc == 1) {
        print_header();
        for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
            print_rows(&protocols[i]);
        }
    } else if (protocol && argc == 2) {
        print_one(protocol);
    } else if (protocol && (argc == 4 || (argc == 5 && strcmp(argv[4], "no-recheck") == 0)) &&
               producer != BARRIER_KINDS && consumer != BARRIER_KINDS) {
        struct machine_options options = protocol_options(protocol, producer, consumer, argc == 4);

        print_case(protocol, &options);
    } else {
        fprintf(stderr, "usage: protocol [NAME [PRODUCER CONSUMER [no-recheck]]]\nnames:");
        for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
            fprintf(stderr, " %s", protocols[i].name);
        }
        fprintf(stderr, "\nbarriers: none read write full\n");
        return 2;
    }
    return 0;
}
