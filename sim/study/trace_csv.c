/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packets from a CSV file: a line of names, then a packet a line. Blank lines and lines that begin
 * with # are passed over. A line that cannot be read ends the reading: no value is guessed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/study/trace.h"
#include "sim/study/trace_csv_columns.h"
#include "sim/study/trace_csv_field.h"
#include "sim/study/trace_input.h"

#define FIELDS_MOST 256

struct csv_reader {
    struct trace_reader base;
    struct trace_input *input;
    const struct trace_options *options;
    char delimiter;
    uint32_t fields;               /* of the header */
    uint8_t column[FIELDS_MOST];   /* enum csv_column of each field */
    int32_t field_of[CSV_COLUMNS]; /* -1: the file has none */
    int time_exponent;

    bool has_first;
    csv_ps first;     /* time of the first packet */
    const char *line; /* the line that is read */
    uint64_t zero;    /* packets of length 0, and the line of the first */
    uint64_t zero_line;
};

/* Any text whose first line has no control bytes but tabs and colours. */
static bool recognise(const uint8_t *head, size_t bytes)
{
    for (size_t i = 0; i < bytes && head[i] != '\n' && head[i] != '\r'; i++) {
        if (head[i] < ' ' && head[i] != '\t' && head[i] != '\033') {
            return false;
        }
    }
    return true;
}

static int refuse(struct csv_reader *reader, const char *at, const char *format, const char *text,
                  size_t bytes)
{
    char shown[TRACE_SHOW_BYTES], message[300];

    snprintf(message, sizeof message, format,
             bytes > 0 ? trace_input_show(text, bytes, shown) : "\"\"");
    trace_input_error(reader->input, trace_input_line_number(reader->input),
                      (uint32_t)(at - reader->line) + 1, "%s", message);
    return -1;
}

/* The next line that is not blank and no remark; as trace_input_line. */
static int next_line(struct csv_reader *reader, char **line, size_t *bytes)
{
    int got;

    do {
        got = trace_input_line(reader->input, line, bytes);
    } while (got == 1 && ((*line)[0] == '#' || (*line)[strspn(*line, " \t\r\n")] == '\0'));
    reader->line = *line;
    return got;
}

/* The separator that stands in the header most often, outside quotes. */
static char find_delimiter(const char *line)
{
    static const char candidates[] = ",;\t|";
    size_t count[sizeof candidates] = {0}, best = 0;
    bool quoted = false;

    for (; *line; line++) {
        const char *candidate = strchr(candidates, *line);

        if (*line == '"') {
            quoted = !quoted;
        } else if (candidate && !quoted) {
            count[candidate - candidates]++;
        }
    }
    for (size_t i = 1; i < sizeof candidates - 1; i++) {
        best = count[i] > count[best] ? i : best;
    }
    return candidates[best];
}

static bool header_field(struct csv_reader *reader, const struct csv_field *field)
{
    const char *wanted = reader->options->len_column;
    enum csv_column column;
    int exponent;

    if (reader->fields == FIELDS_MOST) {
        trace_input_error(reader->input, trace_input_line_number(reader->input), 1,
                          "more than %d columns", FIELDS_MOST);
        return false;
    }
    column = csv_column_named(field->text, field->bytes, &exponent);
    if (wanted && strlen(wanted) == field->bytes &&
        strncasecmp(wanted, field->text, field->bytes) == 0) {
        column = CSV_LEN;
    } else if (wanted && column == CSV_LEN) {
        column = CSV_OTHER;
    }
    if (column != CSV_OTHER && reader->field_of[column] >= 0) {
        column = CSV_OTHER;
    }
    if (column != CSV_OTHER) {
        reader->field_of[column] = (int32_t)reader->fields;
    }
    if (column == CSV_TIME) {
        reader->time_exponent = exponent;
    }
    reader->column[reader->fields++] = (uint8_t)column;
    return true;
}

/* Says which column is missing, and which ones there are. */
static bool refuse_header(struct csv_reader *reader, enum csv_column column, const char *line)
{
    char found[200] = "", shown[TRACE_SHOW_BYTES];
    const char *at = line, *end = line + strlen(line);
    struct csv_field field;
    size_t used = 0;

    while (at && used + TRACE_SHOW_BYTES + 2 < sizeof found &&
           csv_field_next(&at, end, reader->delimiter, &field)) {
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? ", " : "",
                                 trace_input_show(field.text, field.bytes, shown));
    }
    trace_input_error(reader->input, trace_input_line_number(reader->input), 1,
                      "no column %s (found: %s%s)%s", csv_column_name(column), found,
                      at ? ", …" : "", column == CSV_LEN ? "; name one with --len-column" : "");
    return false;
}

static bool read_header(struct csv_reader *reader)
{
    struct csv_field field;
    const char *at;
    char *line;
    size_t bytes;
    int got = next_line(reader, &line, &bytes);

    if (got == 0) {
        trace_input_error(reader->input, 0, 0, "no line of column names");
    }
    if (got != 1) {
        return false;
    }
    reader->delimiter =
        reader->options->delimiter ? reader->options->delimiter : find_delimiter(line);
    for (at = line; at;) {
        const char *begin = at;

        if (!csv_field_next(&at, line + bytes, reader->delimiter, &field)) {
            refuse(reader, begin, "quotes do not pair: %s", field.text, field.bytes);
            return false;
        }
        if (!header_field(reader, &field)) {
            return false;
        }
    }
    for (enum csv_column column = CSV_TIME; column <= CSV_LEN; column++) {
        if (reader->field_of[column] < 0) {
            return refuse_header(reader, column, line);
        }
    }
    reader->base.facts.lost_not_recorded = true;
    reader->base.facts.records_sg =
        reader->field_of[CSV_SG] >= 0 || reader->field_of[CSV_FRAGS] >= 0;
    return true;
}

static void close_reader(struct trace_reader *base)
{
    free(base);
}

static struct trace_reader *open_reader(struct trace_input *input,
                                        const struct trace_options *options,
                                        struct problems *problems)
{
    struct csv_reader *reader = calloc(1, sizeof *reader);
    size_t available;
    const uint8_t *head;

    (void)problems;
    if (!reader) {
        abort();
    }
    reader->input = input;
    reader->options = options;
    for (size_t i = 0; i < CSV_COLUMNS; i++) {
        reader->field_of[i] = -1;
    }
    head = trace_input_peek(input, 3, &available);
    if (available >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0) {
        trace_input_skip(input, 3); /* byte order mark */
    }
    if (!read_header(reader)) {
        close_reader(&reader->base);
        return NULL;
    }
    return &reader->base;
}

static int read_time(struct csv_reader *reader, const struct csv_field *field,
                     struct trace_packet *packet)
{
    const char *rest, *end = field->text + field->bytes;
    csv_ps at;

    if (!csv_time(field, reader->time_exponent, &at, &rest)) {
        if (rest > field->text && rest < end && *rest == ',') {
            return refuse(reader, rest, "time %s is not a number (decimal comma?)", field->text,
                          field->bytes);
        }
        if (rest > field->text && rest < end) {
            return refuse(reader, rest, "time: text after the number: '%s'", rest,
                          (size_t)(end - rest));
        }
        return refuse(reader, field->text, "time %s is not a number", field->text, field->bytes);
    }
    if (!reader->has_first) {
        reader->has_first = true;
        reader->first = at;
    }
    at -= reader->first;
    if (at > TRACE_AFTER_MOST) {
        return refuse(reader, field->text, "time %s is more than 100 days after the first",
                      field->text, field->bytes);
    }
    if (at < -TRACE_BEFORE_MOST) {
        return refuse(reader, field->text, "time %s is more than 5 days before the first",
                      field->text, field->bytes);
    }
    packet->at = (sim_time)at;
    return 1;
}

static int read_len(struct csv_reader *reader, const struct csv_field *field,
                    struct trace_packet *packet)
{
    if (!csv_whole(field, &packet->size)) {
        if (field->bytes > 1 && field->text[0] == '-') {
            return refuse(reader, field->text, "len %s: must be 14..65550", field->text,
                          field->bytes);
        }
        return refuse(reader, field->text,
                      field->quoted ? "len \"%s\" is not a whole number"
                                    : "len %s is not a whole number",
                      field->text, field->bytes);
    }
    if (packet->size != 0 && (packet->size < TRACE_SIZE_LEAST || packet->size > TRACE_SIZE_MOST)) {
        return refuse(reader, field->text, "len %s: must be 14..65550", field->text, field->bytes);
    }
    return 1;
}

static int read_direction(struct csv_reader *reader, const struct csv_field *field,
                          struct trace_packet *packet)
{
    static const char *const sent[] = {"tx", "out", "sent", "outgoing", "egress"};
    static const char *const received[] = {"rx", "in", "received", "incoming", "ingress"};

    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        if (strlen(sent[i]) == field->bytes &&
            strncasecmp(sent[i], field->text, field->bytes) == 0) {
            packet->direction = TRACE_SENT;
            return 1;
        }
        if (strlen(received[i]) == field->bytes &&
            strncasecmp(received[i], field->text, field->bytes) == 0) {
            packet->direction = TRACE_RECEIVED;
            return 1;
        }
    }
    return refuse(reader, field->text, "dir %s: tx or rx is needed", field->text, field->bytes);
}

/* A number that may be missing. */
static int read_number(struct csv_reader *reader, enum csv_column column,
                       const struct csv_field *field, struct trace_packet *packet)
{
    char format[80];
    uint32_t value;

    if (!csv_whole(field, &value)) {
        snprintf(format, sizeof format, "%s %%s is not a whole number", csv_column_name(column));
        return refuse(reader, field->text, format, field->text, field->bytes);
    }
    switch (column) {
    case CSV_DATA_LEN:
        packet->data_len = value;
        break;
    case CSV_PAYLOAD:
        packet->payload = value;
        break;
    case CSV_SG:
        packet->sg = value > 0 ? value : TRACE_UNKNOWN;
        break;
    case CSV_FRAGS:
        packet->sg = packet->sg == TRACE_UNKNOWN ? value + 1 : packet->sg;
        break;
    case CSV_QUEUE:
        packet->queue = value;
        break;
    case CSV_KICK_TEST:
        packet->kick_test = value > 0;
        break;
    case CSV_MORE:
        packet->kick_test = packet->kick_test == TRACE_UNKNOWN ? value == 0 : packet->kick_test;
        break;
    default:
        reader->base.facts.kicks += value;
    }
    return 1;
}

static int read_field(struct csv_reader *reader, enum csv_column column,
                      const struct csv_field *field, struct trace_packet *packet)
{
    if (column == CSV_TIME) {
        return read_time(reader, field, packet);
    }
    if (column == CSV_LEN) {
        return read_len(reader, field, packet);
    }
    if (column == CSV_OTHER || field->bytes == 0) {
        return 1;
    }
    if (column == CSV_DIRECTION) {
        return read_direction(reader, field, packet);
    }
    return read_number(reader, column, field, packet);
}

static int refuse_count(struct csv_reader *reader, uint32_t fields)
{
    trace_input_error(reader->input, trace_input_line_number(reader->input), 1,
                      "%s%u field%s, %u expected", fields > reader->fields ? "more than " : "",
                      fields > reader->fields ? reader->fields : fields, fields == 1 ? "" : "s",
                      reader->fields);
    return -1;
}

static int read_line(struct csv_reader *reader, const char *line, size_t bytes,
                     struct trace_packet *packet)
{
    const char *at = line;
    uint32_t fields = 0;

    while (at) {
        const char *begin = at;
        struct csv_field field;

        if (!csv_field_next(&at, line + bytes, reader->delimiter, &field)) {
            return refuse(reader, begin, "quotes do not pair: %s", field.text, field.bytes);
        }
        if (fields == reader->fields) {
            return refuse_count(reader, fields + 1);
        }
        if (read_field(reader, (enum csv_column)reader->column[fields++], &field, packet) < 0) {
            return -1;
        }
    }
    return fields == reader->fields ? 1 : refuse_count(reader, fields);
}

static void end(struct csv_reader *reader)
{
    if (reader->zero > 0) {
        trace_input_warning(reader->input, reader->zero_line, 1,
                            "len 0 skipped (packets of length 0: %llu)",
                            (unsigned long long)reader->zero);
    }
    if (!reader->has_first) {
        trace_input_warning(reader->input, 0, 0, "capture has no packets");
    }
}

static int next(struct trace_reader *base, struct trace_packet *packet)
{
    struct csv_reader *reader = (struct csv_reader *)base;
    const struct trace_packet nothing = *packet;

    for (;;) {
        char *line;
        size_t bytes;
        int got = next_line(reader, &line, &bytes);

        if (got == 0) {
            end(reader);
        }
        if (got != 1) {
            return got;
        }
        *packet = nothing;
        packet->number = trace_input_line_number(reader->input);
        if (read_line(reader, line, bytes, packet) < 0) {
            return -1;
        }
        if (packet->size > 0) {
            return 1;
        }
        if (reader->zero++ == 0) {
            reader->zero_line = packet->number;
        }
    }
}

const struct trace_reader_ops trace_csv_reader = {
    .name = "csv",
    .recognise = recognise,
    .open = open_reader,
    .next = next,
    .close = close_reader,
};
