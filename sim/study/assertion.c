/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/assertion.h"

#include <stdio.h>
#include <string.h>

#include "models/metric.h"
#include "sim/engine/decimal.h"
#include "sim/study/suggest.h"

static const char *skip(const char *at)
{
    while (*at == ' ') {
        at++;
    }
    return at;
}

static bool read_operator(const char **at, enum expect_op *op)
{
    static const struct {
        const char *text;
        enum expect_op op;
    } operators[] = {{"<=", EXPECT_LE}, {">=", EXPECT_GE}, {"==", EXPECT_EQ},
                     {"!=", EXPECT_NE}, {"<", EXPECT_LT},  {">", EXPECT_GT}};

    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].text);

        if (strncmp(*at, operators[i].text, length) == 0) {
            *op = operators[i].op;
            *at += length;
            return true;
        }
    }
    return false;
}

/* "PATH=VALUE: " in front; returns where the metric begins. */
static const char *read_filter(struct expectation *e, const char *text)
{
    const char *colon = strchr(text, ':'), *equal = strchr(text, '=');

    if (!colon || !equal || equal > colon || equal == text || strchr("=!<>", equal[1]) ||
        strchr("=!<>", equal[-1])) {
        return text;
    }
    snprintf(e->filter_path, sizeof e->filter_path, "%.*s", (int)(equal - text), text);
    snprintf(e->filter_value, sizeof e->filter_value, "%.*s", (int)(colon - equal - 1), equal + 1);
    return skip(colon + 1);
}

static bool read_metric(struct expectation *e, struct node node, const char **at,
                        struct problems *problems)
{
    char name[64], shown[128], hint[SUGGEST_TEXT_BYTES];
    size_t length = strcspn(*at, " <>=!");
    struct suggest suggest;

    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), *at);
    e->metric = metric_find(name);
    if (e->metric >= 0) {
        *at = skip(*at + length);
        return true;
    }
    suggest_init(&suggest, name);
    for (int i = 0; i < METRIC_COUNT; i++) {
        suggest_offer(&suggest, metric_name((enum metric)i));
    }
    node_problem(node, problems, false, "expect", "unknown metric %s%s",
                 json_show(name, strlen(name), JSON_SHOWN_MOST, shown, sizeof shown),
                 suggest_text(&suggest, hint));
    return false;
}

bool assertion_read(struct expectation *e, struct node node, struct problems *problems)
{
    struct decimal number;
    const char *at;
    size_t used;
    char shown[256];

    memset(e, 0, sizeof *e);
    node_show(node, shown, sizeof shown);
    if (!node_text(node) || strlen(node_text(node)) >= sizeof e->text) {
        node_problem(node, problems, false, "expect",
                     "%s: expected text such as \"hung == 0\" or \"case=xsk: tx_pps >= 1e6\"",
                     shown);
        return false;
    }
    snprintf(e->text, sizeof e->text, "%s", node_text(node));
    at = read_filter(e, skip(e->text));
    if (!read_metric(e, node, &at, problems)) {
        return false;
    }
    if (!read_operator(&at, &e->op)) {
        node_problem(node, problems, false, "expect",
                     "%s: one of < <= == != >= > is needed after "
                     "the metric",
                     shown);
        return false;
    }
    at = skip(at);
    if (decimal_read(at, &used, &number) != DECIMAL_OK || *skip(at + used) != '\0') {
        node_problem(node, problems, false, "expect", "%s: one number is needed at the end", shown);
        return false;
    }
    e->value = decimal_double(number);
    return true;
}
