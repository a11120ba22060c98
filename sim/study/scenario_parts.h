/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of a scenario, for the files that make it up: reading (scenario_read.c), sweep
 * (scenario_sweep.c), chosen cases (scenario_case.c), captures (scenario_trace.c), checks (scenario_check.c, scenario_effect.c),
 * access (scenario.c), printing (show.c).
 *
 * A configuration is built from the layers from low to high: defaults, presets of the choices in
 * force, files and --set, the case, the values of the axes, the variant.
 */
#ifndef SIM_STUDY_SCENARIO_PARTS_H
#define SIM_STUDY_SCENARIO_PARTS_H

#include "sim/study/assertion.h"
#include "sim/study/axis.h"
#include "sim/study/condition.h"
#include "sim/study/file_set.h"
#include "sim/study/layer.h"
#include "sim/study/scenario.h"
#include "sim/study/scenario_probe.h"
#include "sim/study/trace_set.h"

/* A case or a variant. */
struct overrides {
    char *name;
    struct node node;
    struct layer layer;
    size_t number; /* in the file */
    bool dropped;  /* a case that was not asked for */
};

struct overrides_list {
    struct overrides *list;
    size_t count;
    struct node node; /* the whole section; item NULL: there is none */
};

/* The values that one choice presets, ready. */
struct preset {
    size_t index; /* of the choice's row */
    int choice;
    struct layer layer;
};

/* Texts from the command line, as documents. */
struct text_list {
    struct document **docs;
    size_t count;
};

struct scenario {
    const struct param_schema *schema;
    struct conditions *conditions; /* of the schema */
    struct file_set files;
    struct text_list texts;
    char *name;                            /* of the study */
    char study_name[PARAM_TEXT_BYTES];     /* the same, cut to a parameter's length */
    size_t problems_before, errors_before; /* of the caller's list when the reading began */

    /* the pile */
    struct config defaults;
    struct preset *presets;
    size_t preset_count;
    struct layer base;
    struct overrides_list cases, variants;
    struct overrides first_case; /* of the file, where it was dropped; name NULL: it was not */

    /* the points: axes in order, "case" first; the first axis changes slowest, zipped ones together
     */
    struct axis *axes;
    size_t axis_count;
    struct node sweep, sweep_zip; /* the sections; item NULL: none */
    size_t points;
    size_t *left_out; /* rows of the axes that were left out */
    size_t left_out_count;

    struct trace_set *traces; /* that the configurations replay; NULL: not read yet */
    size_t shown_traces;      /* the first of them; any others are of dropped cases */

    struct expectation *expect;
    struct node *expect_nodes; /* [expect_count] */
    size_t expect_count;

    /* of probes: nothing above but the name and the number of points */
    const struct scenario *parent;
    struct probe *probes; /* [points] */
    char **probe_names;   /* [points]: values of the axis "probe" */
    uint32_t probe_replications;
};

/* scenario_read.c */
extern const char *const scenario_sections[]; /* keys of the top level that are no parameters */
void scenario_read(struct scenario *s, const struct scenario_options *options,
                   struct problems *problems);
bool scenario_is_whole(const char *path); /* version, name, question: the same everywhere */
struct document *scenario_new_text(struct scenario *s);
/* Splits "PATH=..." of an option; -1: refused, reported. *value points behind the =. */
ptrdiff_t scenario_option_path(const struct scenario *s, const char *option, const char *text,
                               const char **value, struct problems *problems);

/* scenario_sweep.c: axes from sections and --vary, counted; false: over the limit or refused. */
bool scenario_sweep(struct scenario *s, const struct scenario_options *options,
                    struct problems *problems);
/* The axis that an axis changes with: the first of the zipped ones, which are one dimension, or
 * itself. */
size_t scenario_dimension(const struct scenario *s, size_t axis);
/* The index of the axis' value at a point. */
size_t scenario_point_index(const struct scenario *s, size_t point, size_t axis);

/* scenario_case.c: marks the cases that were not asked for; refuses names that are none. */
void scenario_choose_cases(struct scenario *s, const struct scenario_options *options,
                           struct problems *problems);
bool scenario_is_dropped(const struct scenario *s, size_t point); /* marked, not gone yet */
void scenario_drop_cases(struct scenario *s);                     /* their points go */
void overrides_fini(struct overrides *one);

/* scenario_trace.c: reads the captures of all points and variants, each once. */
void scenario_read_traces(struct scenario *s, struct problems *problems);

/* Whether a file is missing, where other errors keep configurations from being checked. */
void scenario_check_file(const struct scenario *s, struct problems *problems);

/* scenario_build.c: the pile of a point and a variant. */
#define SCENARIO_PILE_MOST 64 /* axes at most, and base, case, variant besides */

/* The settings in force, layer by layer from low to high; of an axis one setting. */
struct pile {
    const struct layer *layers[3]; /* base, case, variant; NULL: none */
    const struct setting *axis[SCENARIO_PILE_MOST];
    size_t axis_count;
};
void pile_init(struct pile *pile, const struct scenario *s, size_t point, size_t variant);

/* The setting in force for a row; NULL: preset or default. */
const struct setting *pile_find(const struct pile *pile, size_t index);

/* The choice in force of a row that has presets. */
const struct preset *pile_preset(const struct pile *pile, const struct scenario *s,
                                 size_t choice_index);

/* The preset in force that sets a row, with its setting; NULL: none. */
const struct setting *pile_preset_of(const struct pile *pile, const struct scenario *s,
                                     size_t index, const struct preset **preset);

void pile_build(const struct pile *pile, const struct scenario *s, struct config *config);

/* scenario_probe.c */
void scenario_probe_config(const struct scenario *s, size_t point, struct config *config);

/* scenario_check.c: everything that needs whole configurations. */
void scenario_check(struct scenario *s, struct problems *problems);
/* Only that nothing is missing. */
void scenario_check_required(const struct scenario *s, struct problems *problems);

/* scenario_effect.c: axes and --set that a layer above replaces, costs outside their plausible
 * range. left_out: the axes will not be walked. */
void scenario_check_effect(const struct scenario *s, bool left_out, struct problems *problems);

/* scenario_expect.c: the filters of the assertions against cases, variants and axes. */
void scenario_check_expect(struct scenario *s, struct problems *problems);

#endif
