/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   A machine on which two or three parties run short programs over shared memory, each behind
 *        a store buffer of its own, as processors of the x86 family do (total store order).
 * PLACE  Below explorer.h, which tries every order of steps, and protocols.h, which holds the
 *        programs: the notification protocols of a virtqueue and of a vhost worker.
 * LEAVES OUT  Reorderings that total store order forbids: loads overtaking loads, stores
 *        overtaking stores. Whatever hangs here hangs on weaker machines too; what never hangs here
 *        may need more barriers there. Also time: a buffered store may stay as long as it likes.
 * SOURCE Owens, Sarkar, Sewell, "A Better x86 Memory Model: x86-TSO", 2009, with the buffer cut
 *        down to 1..3 entries.
 *
 * A store goes into its party's buffer and becomes visible when the machine drains it, at any
 * moment, oldest first. A load takes the newest entry for its variable from its own buffer, else
 * memory. A full barrier waits for an empty buffer; so do a locked operation and a wake-up (a
 * doorbell, an interrupt, queueing of work). Read and write barriers are steps that change nothing.
 *
 * A sleeping party goes on only when woken; a wake-up that comes early is kept, as a queued work
 * item or a pending interrupt is. One step is one access to something shared, or one drain.
 * Operations on a party's own registers go along with the step before them: nobody else can tell.
 *
 * Values are 0..3 and counters wrap there, so a state fits into 64 bits.
 */
#ifndef TESTS_PROTOCOL_MACHINE_H
#define TESTS_PROTOCOL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/virtqueue.h"

#define MACHINE_PARTIES   3
#define MACHINE_VARIABLES 4
#define MACHINE_REGISTERS 3
#define MACHINE_DEPTH     3 /* entries of a store buffer, at most */
#define MACHINE_VALUES    4u

enum op {
    OP_END, /* the party is through; its buffer still drains */
    OP_LOAD,
    OP_STORE,
    OP_STORE_REGISTER,
    OP_BARRIER, /* of the kind the options name for the party */
    OP_RMW,     /* locked read-modify-write: the register gets the old value, the map the new one */
    OP_WAKE,
    OP_SLEEP,
    /* On registers only, from here on. */
    OP_MOVE,
    OP_ADD,
    OP_IF_EQUAL,
    OP_IF_DIFFERENT, /* two registers */
    OP_UNLESS_EVENT, /* the event index in the register is not register 0 - 1 */
    OP_IF_MORE,      /* register below the number of rounds */
    OP_UNLESS_RECHECK,
    OP_GOTO,
};

struct instruction {
    enum op op;
    uint8_t reg, var, value, target;
    const char *note; /* for traces */
};

/* Tables of instructions are written with these. A target is an index into the table. */
/* clang-format off */
#define LOAD(r, v, text)           {.op = OP_LOAD, .reg = (r), .var = (v), .note = (text)}
#define STORE(v, x, text)          {.op = OP_STORE, .var = (v), .value = (x), .note = (text)}
#define STORE_REGISTER(v, r, text) {.op = OP_STORE_REGISTER, .reg = (r), .var = (v), .note = (text)}
#define RMW(r, v, map, text)       {.op = OP_RMW, .reg = (r), .var = (v), .value = (map), .note = (text)}
#define BARRIER()                  {.op = OP_BARRIER}
#define WAKE(party, text)          {.op = OP_WAKE, .value = (party), .note = (text)}
#define SLEEP(text)                {.op = OP_SLEEP, .note = (text)}
#define END()                      {.op = OP_END}
#define MOVE(to, from)             {.op = OP_MOVE, .reg = (to), .value = (from)}
#define ADD(r, x)                  {.op = OP_ADD, .reg = (r), .value = (x)}
#define IF_EQUAL(r, x, to)         {.op = OP_IF_EQUAL, .reg = (r), .value = (x), .target = (to)}
#define IF_DIFFERENT(r, other, to) {.op = OP_IF_DIFFERENT, .reg = (r), .value = (other), .target = (to)}
#define UNLESS_EVENT(r, to)        {.op = OP_UNLESS_EVENT, .reg = (r), .target = (to)}
#define IF_MORE(r, to)             {.op = OP_IF_MORE, .reg = (r), .target = (to)}
#define UNLESS_RECHECK(to)         {.op = OP_UNLESS_RECHECK, .target = (to)}
#define GOTO(to)                   {.op = OP_GOTO, .target = (to)}
/* What a locked operation makes of the values 0, 1, 2, 3. */
#define MAP(a, b, c, d)            ((a) | (b) << 2 | (c) << 4 | (d) << 6)
/* clang-format on */

enum barrier { BARRIER_NONE, BARRIER_READ, BARRIER_WRITE, BARRIER_FULL, BARRIER_KINDS };

static const char *const barrier_names[BARRIER_KINDS] = {"none", "read", "write", "full"};

struct party {
    const char *name;
    const struct instruction *program; /* ends with END or a jump */
};

/* At rest, the variable must equal what the party has in its register: all work was seen. */
struct goal {
    uint8_t var, party, reg;
};

struct protocol {
    const char *name, *title;
    const char *variables[MACHINE_VARIABLES + 1]; /* the first NULL ends them */
    uint8_t initial[MACHINE_VARIABLES];
    struct party parties[MACHINE_PARTIES];
    uint32_t party_count;
    uint8_t producer, consumer; /* whose barriers are in question; a third party has a full one */
    struct goal goals[2];
    uint32_t goal_count;
};

struct machine_options {
    enum barrier barriers[MACHINE_PARTIES];
    bool recheck;    /* the consumer looks again between asking for a wake-up and sleeping */
    uint32_t depth;  /* of each store buffer */
    uint32_t rounds; /* pieces of work the producer hands over, at most 3 */
};

struct machine {
    const struct protocol *protocol;
    struct machine_options options;
    uint32_t variable_count;
};

struct party_state {
    uint8_t at; /* next instruction */
    uint8_t woken;
    uint8_t reg[MACHINE_REGISTERS];
    uint8_t buffered;
    struct {
        uint8_t var, value;
    } buffer[MACHINE_DEPTH]; /* oldest first; zero from [buffered] on */
};

struct machine_state {
    uint8_t memory[MACHINE_VARIABLES];
    struct party_state party[MACHINE_PARTIES];
};

struct machine_step {
    uint8_t party;
    uint8_t drain; /* 1: the buffer's oldest entry reaches memory; 0: the party does a step */
};

static inline const struct instruction *machine_next(const struct machine *m,
                                                     const struct machine_state *s, uint32_t party)
{
    return &m->protocol->parties[party].program[s->party[party].at];
}

/* Moves one field of a state into or out of a word. */
struct machine_packer {
    uint64_t word;
    uint32_t used;
    bool unpack;
};

static inline void machine_field(struct machine_packer *p, uint8_t *field, uint32_t bits)
{
    if (p->unpack) {
        *field = (uint8_t)(p->word >> p->used & ((UINT64_C(1) << bits) - 1));
    } else {
        p->word |= (uint64_t)*field << p->used;
    }
    p->used += bits;
}

static inline void machine_fields(const struct machine *m, struct machine_packer *p,
                                  struct machine_state *s)
{
    for (uint32_t v = 0; v < m->variable_count; v++) {
        machine_field(p, &s->memory[v], 2);
    }
    for (uint32_t i = 0; i < m->protocol->party_count; i++) {
        struct party_state *party = &s->party[i];

        machine_field(p, &party->at, 5);
        machine_field(p, &party->woken, 1);
        for (uint32_t r = 0; r < MACHINE_REGISTERS; r++) {
            machine_field(p, &party->reg[r], 2);
        }
        machine_field(p, &party->buffered, 2);
        for (uint32_t d = 0; d < m->options.depth; d++) {
            machine_field(p, &party->buffer[d].var, 2);
            machine_field(p, &party->buffer[d].value, 2);
        }
    }
}

static inline uint64_t machine_pack(const struct machine *m, const struct machine_state *s)
{
    struct machine_packer packer = {0};
    struct machine_state copy = *s;

    machine_fields(m, &packer, &copy);
    return packer.word;
}

static inline struct machine_state machine_unpack(const struct machine *m, uint64_t word)
{
    struct machine_packer packer = {.word = word, .unpack = true};
    struct machine_state s = {0};

    machine_fields(m, &packer, &s);
    return s;
}

/* Register operations up to the next instruction that others can see. */
static inline void machine_settle(const struct machine *m, struct machine_state *s, uint32_t party)
{
    struct party_state *p = &s->party[party];
    const struct instruction *i;

    while ((i = machine_next(m, s, party))->op >= OP_MOVE || i->op == OP_BARRIER) {
        uint8_t value = p->reg[i->reg];
        bool jump = false;

        switch (i->op) {
        case OP_BARRIER:
            if (m->options.barriers[party] != BARRIER_NONE) {
                return;
            }
            break;
        case OP_MOVE:
            p->reg[i->reg] = p->reg[i->value];
            break;
        case OP_ADD:
            p->reg[i->reg] = (uint8_t)((value + i->value) % MACHINE_VALUES);
            break;
        case OP_IF_EQUAL:
            jump = value == i->value;
            break;
        case OP_IF_DIFFERENT:
            jump = value != p->reg[i->value];
            break;
        case OP_UNLESS_EVENT:
            jump = !virtqueue_need_event(value, p->reg[0], (uint16_t)(p->reg[0] - 1));
            break;
        case OP_IF_MORE:
            jump = value < m->options.rounds;
            break;
        case OP_UNLESS_RECHECK:
            jump = !m->options.recheck;
            break;
        default:
            jump = true;
            break; /* OP_GOTO */
        }
        p->at = jump ? i->target : (uint8_t)(p->at + 1);
    }
}

/* Whether the party's next instruction can be carried out now. */
static inline bool machine_can_run(const struct machine *m, const struct machine_state *s,
                                   uint32_t party)
{
    const struct party_state *p = &s->party[party];

    switch (machine_next(m, s, party)->op) {
    case OP_END:
        return false;
    case OP_SLEEP:
        return p->woken != 0;
    case OP_STORE:
    case OP_STORE_REGISTER:
        return p->buffered < m->options.depth;
    case OP_BARRIER:
        return m->options.barriers[party] != BARRIER_FULL || p->buffered == 0;
    case OP_RMW:
    case OP_WAKE:
        return p->buffered == 0;
    default:
        return true;
    }
}

/* What the party reads: its own newest buffered store, else memory. */
static inline uint8_t machine_read(const struct machine_state *s, uint32_t party, uint8_t var)
{
    const struct party_state *p = &s->party[party];

    for (uint32_t d = p->buffered; d > 0; d--) {
        if (p->buffer[d - 1].var == var) {
            return p->buffer[d - 1].value;
        }
    }
    return s->memory[var];
}

static inline void machine_run(const struct machine *m, struct machine_state *s, uint32_t party)
{
    const struct instruction *i = machine_next(m, s, party);
    struct party_state *p = &s->party[party];

    p->at++;
    switch (i->op) {
    case OP_LOAD:
        p->reg[i->reg] = machine_read(s, party, i->var);
        break;
    case OP_STORE:
    case OP_STORE_REGISTER:
        p->buffer[p->buffered].var = i->var;
        p->buffer[p->buffered++].value = i->op == OP_STORE ? i->value : p->reg[i->reg];
        break;
    case OP_RMW:
        p->reg[i->reg] = s->memory[i->var];
        s->memory[i->var] = i->value >> 2 * s->memory[i->var] & 3;
        break;
    case OP_WAKE:
        s->party[i->value].woken = 1;
        break;
    case OP_SLEEP:
        p->woken = 0;
        break;
    default:
        break;
    }
    machine_settle(m, s, party);
}

static inline void machine_drain(struct machine_state *s, uint32_t party)
{
    struct party_state *p = &s->party[party];

    s->memory[p->buffer[0].var] = p->buffer[0].value;
    p->buffered--;
    memmove(&p->buffer[0], &p->buffer[1], sizeof(p->buffer) - sizeof(p->buffer[0]));
    memset(&p->buffer[p->buffered], 0, (MACHINE_DEPTH - p->buffered) * sizeof(p->buffer[0]));
}

/* Takes the step if it is possible. */
static inline bool machine_take(const struct machine *m, struct machine_state *s,
                                struct machine_step step)
{
    if (step.drain ? s->party[step.party].buffered == 0 : !machine_can_run(m, s, step.party)) {
        return false;
    }
    if (step.drain) {
        machine_drain(s, step.party);
    } else {
        machine_run(m, s, step.party);
    }
    return true;
}

/* All work that was handed over has been seen. */
static inline bool machine_work_seen(const struct machine *m, const struct machine_state *s)
{
    for (uint32_t g = 0; g < m->protocol->goal_count; g++) {
        const struct goal *goal = &m->protocol->goals[g];

        if (s->memory[goal->var] != s->party[goal->party].reg[goal->reg]) {
            return false;
        }
    }
    return true;
}

static inline struct machine_state machine_start(const struct machine *m)
{
    struct machine_state s = {0};

    memcpy(s.memory, m->protocol->initial, sizeof(s.memory));
    for (uint32_t party = 0; party < m->protocol->party_count; party++) {
        machine_settle(m, &s, party);
    }
    return s;
}

/* A protocol whose states do not fit is a mistake in the protocol: aborts. */
static inline void machine_init(struct machine *m, const struct protocol *protocol,
                                const struct machine_options *options)
{
    uint32_t bits;

    *m = (struct machine){.protocol = protocol, .options = *options};
    while (protocol->variables[m->variable_count]) {
        m->variable_count++;
    }
    bits = 2 * m->variable_count +
           protocol->party_count * (8 + 2 * MACHINE_REGISTERS + 4 * options->depth);
    if (bits > 64 || options->depth > MACHINE_DEPTH || options->rounds >= MACHINE_VALUES) {
        fprintf(stderr, "%s: a state takes %u bits; depth %u, rounds %u\n", protocol->name, bits,
                options->depth, options->rounds);
        abort();
    }
}

#endif
