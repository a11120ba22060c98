/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_event.h"

#include <string.h>

#define COMM_BYTES      15 /* the kernel keeps no more of a name */
#define FRACTION_DIGITS 12 /* picoseconds */
#define FLAGS_BYTES     10

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p)) {
        p++;
    }
    return p;
}

/* Reads digits; NULL: none, or above 2^64-1. */
static const char *read_digits(const char *p, const char *end, uint64_t *number)
{
    const char *first = p;
    uint64_t value = 0;

    for (; p < end && is_digit(*p); p++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*p - '0'), &value)) {
            return NULL;
        }
    }
    *number = value;
    return p > first ? p : NULL;
}

/* "SECONDS[.FRACTION]:"; NULL: something else, or more digits than a picosecond has. */
static const char *read_time(const char *p, const char *end, struct trace_event *event)
{
    const char *first;
    uint64_t fraction = 0;

    p = read_digits(p, end, &event->seconds);
    if (!p || p == end) {
        return NULL;
    }
    event->has_fraction = *p == '.';
    event->fraction_ps = 0;
    if (event->has_fraction) {
        first = ++p;
        p = read_digits(p, end, &fraction);
        if (!p || p - first > FRACTION_DIGITS) {
            return NULL;
        }
        for (long digits = p - first; digits < FRACTION_DIGITS; digits++) {
            fraction *= 10;
        }
        event->fraction_ps = fraction;
    }
    return p < end && *p == ':' ? p + 1 : NULL;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '.' || c == '-';
}

/* "EVENT:" or "SYSTEM:EVENT:", then the fields. */
static bool read_name(const char *p, const char *end, struct trace_event *event)
{
    const char *name = p;

    event->perf = false;
    for (;;) {
        while (p < end && is_name(*p)) {
            p++;
        }
        if (p == name || p == end || *p != ':') {
            return false;
        }
        if (p + 1 == end || is_blank(p[1])) {
            break;
        }
        event->perf = true;
        name = ++p;
    }
    event->name = (struct trace_text){name, (size_t)(p - name)};
    p = skip_blanks(p + 1, end);
    event->fields = (struct trace_text){p, (size_t)(end - p)};
    return true;
}

/* What follows "[CPU]": flags, time, in perf's lines perhaps a count, then the event. */
static bool read_rest(const char *p, const char *end, struct trace_event *event)
{
    const char *word = skip_blanks(p, end), *time = read_time(word, end, event);
    uint64_t count;

    if (word == p) {
        return false;
    }
    if (!time) {
        for (p = word; p < end && !is_blank(*p); p++) {
            if (p - word >= FLAGS_BYTES) {
                return false;
            }
        }
        time = read_time(skip_blanks(p, end), end, event);
        if (!time) {
            return false;
        }
    }
    p = skip_blanks(time, end);
    if (p == time) {
        return false;
    }
    if (read_name(p, end, event)) {
        return true;
    }
    word = read_digits(p, end, &count);
    return word && word < end && is_blank(*word) && read_name(skip_blanks(word, end), end, event);
}

/* What precedes "[CPU]": "COMM-PID" or "COMM PID" and perhaps "(TGID)". *comm_length: without
 * leading blanks. */
static bool read_task(const char *line, const char *end, struct trace_event *event,
                      size_t *comm_length)
{
    uint64_t pid = 0, scale = 1;
    const char *p = end;

    while (p > line && is_blank(p[-1])) {
        p--;
    }
    if (p == end || p == line) {
        return false;
    }
    if (p[-1] == ')') {
        while (p > line && *p != '(') {
            p--;
        }
        while (p > line && is_blank(p[-1])) {
            p--;
        }
    }
    end = p;
    while (p > line && is_digit(p[-1]) && end - p < 10) {
        pid += scale * (uint64_t)(*--p - '0');
        scale *= 10;
    }
    if (p == end || p == line || (p[-1] != '-' && p[-1] != '/' && !is_blank(p[-1]))) {
        return false;
    }
    event->pid = (uint32_t)pid;
    line = skip_blanks(line, p - 1);
    *comm_length = (size_t)(p - 1 - line);
    return true;
}

/* A whole event with "[CPU]" at `bracket`. */
static bool read_at(const char *line, const char *bracket, const char *end,
                    struct trace_event *event, size_t *comm_length)
{
    uint64_t cpu;
    const char *p = read_digits(bracket + 1, end, &cpu);

    if (!p || p == end || *p != ']' || cpu >= TRACE_CPU_MOST) {
        return false;
    }
    event->cpu = (uint32_t)cpu;
    return read_task(line, bracket, event, comm_length) && read_rest(p + 1, end, event);
}

bool trace_event_parse(const char *line, size_t length, struct trace_event *event)
{
    const char *end = line + length;
    const char *text = skip_blanks(line, end), *bracket = text, *last = end;
    struct trace_event candidate = {0};
    bool found = false;
    size_t comm_length;

    while (bracket < last && (bracket = memchr(bracket, '[', (size_t)(last - bracket))) != NULL) {
        if (read_at(text, bracket, end, &candidate, &comm_length)) {
            if (found && comm_length > COMM_BYTES) {
                break;
            }
            *event = candidate;
            found = true;
            /* beyond these bytes the name before it would be too long: name, pid, process */
            if (end - text > COMM_BYTES + 40) {
                last = text + COMM_BYTES + 40;
            }
        }
        bracket++;
    }
    return found;
}

bool trace_event_field(struct trace_text *rest, struct trace_text *key, struct trace_text *value)
{
    const char *p = rest->at, *end = p + rest->length;

    for (;;) {
        const char *word = p = skip_blanks(p, end), *equals = NULL;

        if (p == end) {
            *rest = (struct trace_text){end, 0};
            return false;
        }
        for (; p < end && !is_blank(*p); p++) {
            if (*p == '=' && !equals) {
                equals = p;
            }
        }
        if (equals) {
            *key = (struct trace_text){word, (size_t)(equals - word)};
            *value = (struct trace_text){equals + 1, (size_t)(p - equals - 1)};
            *rest = (struct trace_text){p, (size_t)(end - p)};
            return true;
        }
    }
}

bool trace_event_word(struct trace_text fields, const char *word, struct trace_text *value)
{
    const char *p = fields.at, *end = p + fields.length;
    size_t length = strlen(word);

    while ((p = memmem(p, (size_t)(end - p), word, length)) != NULL) {
        const char *after = p + length;

        if ((p == fields.at || is_blank(p[-1])) && after < end && is_blank(*after)) {
            after = skip_blanks(after, end);
            for (p = after; p < end && !is_blank(*p); p++) {
            }
            *value = (struct trace_text){after, (size_t)(p - after)};
            return p > after;
        }
        p = after;
    }
    return false;
}

bool trace_text_is(struct trace_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

bool trace_text_starts(struct trace_text text, const char *word)
{
    size_t length = strlen(word);

    return length <= text.length && memcmp(text.at, word, length) == 0;
}

bool trace_text_has(struct trace_text text, const char *word)
{
    return memmem(text.at, text.length, word, strlen(word)) != NULL;
}

static int hex_value(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool trace_text_number(struct trace_text text, uint64_t *number)
{
    const char *end = text.at + text.length;
    uint64_t value = 0;

    if (!trace_text_starts(text, "0x")) {
        return read_digits(text.at, end, number) == end;
    }
    if (text.length == 2 || text.length > 18) {
        return false;
    }
    for (const char *p = text.at + 2; p < end; p++) {
        if (hex_value(*p) < 0) {
            return false;
        }
        value = 16 * value + (uint64_t)hex_value(*p);
    }
    *number = value;
    return true;
}

/* "CPU:N [LOST 12 EVENTS]" of ftrace, "CPU:N [12 EVENTS DROPPED]" of trace-cmd; without the number:
 * it is not known. */
static bool read_lost(const char *p, const char *end, struct trace_loss *loss)
{
    uint64_t cpu;

    p = read_digits(p, end, &cpu);
    if (!p || cpu >= TRACE_CPU_MOST) {
        return false;
    }
    p = skip_blanks(p, end);
    struct trace_text note = {p, (size_t)(end - p)};
    if (!trace_text_starts(note, "[") ||
        !(trace_text_has(note, "LOST") || trace_text_has(note, "DROPPED")) ||
        !trace_text_has(note, "EVENTS")) {
        return false;
    }
    while (p < end && !is_digit(*p)) {
        p++;
    }
    loss->cpu = (uint32_t)cpu;
    loss->unknown = !read_digits(p, end, &loss->events);
    return true;
}

/* "# entries-in-buffer/entries-written: IN/WRITTEN   #P:4" */
static bool read_overwritten(const char *p, const char *end, struct trace_loss *loss)
{
    uint64_t in, written;

    p = read_digits(skip_blanks(p, end), end, &in);
    if (!p || p == end || *p != '/' || !read_digits(p + 1, end, &written) || written <= in) {
        return false;
    }
    loss->overwritten = true;
    loss->events = written - in;
    return true;
}

bool trace_loss_parse(const char *line, size_t length, struct trace_loss *loss)
{
    static const char entries[] = "# entries-in-buffer/entries-written:";
    static const char lost[] = "PERF_RECORD_LOST lost ";
    const char *end = line + length, *p;
    struct trace_text text = {line, length};

    *loss = (struct trace_loss){.cpu = UINT32_MAX};
    if (trace_text_starts(text, "CPU:")) {
        return read_lost(line + 4, end, loss);
    }
    if (trace_text_starts(text, entries)) {
        return read_overwritten(line + strlen(entries), end, loss);
    }
    p = memmem(line, length, lost, strlen(lost));
    if (p) {
        return read_digits(p + strlen(lost), end, &loss->events) != NULL;
    }
    if (trace_text_starts(text, "Processed ") && trace_text_has(text, " lost ")) {
        loss->unknown = true;
        return true;
    }
    return false;
}
