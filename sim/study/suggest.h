/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name that was meant: candidates are offered one by one, and the nearest within a bounded
 * edit distance is kept (insert, delete, replace, swap of neighbours; case and - for _ count
 * nothing against other edits). A name of which the other is the beginning is near too. Names that
 * have nothing in common get no suggestion, and names longer than any key cost nothing.
 */
#ifndef SIM_STUDY_SUGGEST_H
#define SIM_STUDY_SUGGEST_H

#define SUGGEST_LENGTH_MOST 64

struct suggest {
    const char *name;
    int limit; /* edits that still count as near */
    int best_distance;
    char best[SUGGEST_LENGTH_MOST + 1]; /* empty: none yet */
};

void suggest_init(struct suggest *suggest, const char *name);
void suggest_offer(struct suggest *suggest, const char *candidate);

/* "; did you mean NAME?", or "" where nothing is near. Returns buffer. */
#define SUGGEST_TEXT_BYTES 100
char *suggest_text(const struct suggest *suggest, char buffer[SUGGEST_TEXT_BYTES]);

#endif
