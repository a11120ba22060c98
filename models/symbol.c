/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/symbol.h"

static const struct {
    const char *name, *help;
} table[] = {
#define X(name, text, help) {text, help},
    SYMBOLS(X)
#undef X
};

const char *symbol_name(enum symbol symbol)
{
    return table[symbol].name;
}

const char *symbol_help(enum symbol symbol)
{
    return table[symbol].help;
}

sim_time ledger_sum(const struct ledger *ledger)
{
    sim_time sum = 0;

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        sum += ledger->time[i];
    }
    return sum;
}
