/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the columns of a CSV header are called. Case, blanks around and quotes do not count; a unit
 * stands behind the name ("time_us", "time (us)", "len [bytes]"). Known are the plain names, those
 * of tshark -T fields and Wireshark's export, and those of packet lists made from driver traces.
 * Of two columns that mean the same the first counts; others are not looked at.
 */
#ifndef SIM_STUDY_TRACE_CSV_COLUMNS_H
#define SIM_STUDY_TRACE_CSV_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

enum csv_column {
    CSV_TIME,
    CSV_LEN,
    CSV_DATA_LEN,
    CSV_PAYLOAD, /* bytes behind the headers of a TCP segment */
    CSV_SG,      /* entries of the request */
    CSV_FRAGS,   /* page fragments: entries less one */
    CSV_QUEUE,
    CSV_DIRECTION,
    CSV_KICK_TEST, /* kick prepared, 0 or 1 */
    CSV_MORE,      /* xmit_more, the opposite */
    CSV_KICK,      /* doorbells */
    CSV_COLUMNS,
    CSV_OTHER = CSV_COLUMNS,
};

/* What the name means; CSV_TIME: *exponent gets the power of ten of a second (-6 for "time_us"). */
enum csv_column csv_column_named(const char *name, size_t bytes, int *exponent);

const char *csv_column_name(enum csv_column column); /* for messages */

#endif
