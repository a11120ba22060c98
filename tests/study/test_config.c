/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parameter tables themselves: what a row claims must hold, since messages, --set, presets, the
 * schema and the reference page are all made from it.
 */
#include "sim/study/config.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/schema.h"
#include "sim/study/value.h"
#include "tests/suite.h"

#define EACH_ROW(row)                                                                              \
    for (size_t i_ = 0; i_ < param_count(&config_schema); i_++)                                    \
        for (const struct param *row = param_at(&config_schema, i_).row; row; row = NULL)

static void check_text(const struct param_place *place, const char *text, const char *what)
{
    char *part = calloc(1, place->table->config_bytes), *printed;
    char *again = calloc(1, place->table->config_bytes);

    ck_assert_msg(value_from_text(place->row, text, part), "%s of %s: %s", what, place->row->path,
                  text);
    /* The canonical text reads back to the same field. */
    printed = param_text(place->row, part + place->row->offset);
    ck_assert_msg(value_from_text(place->row, printed, again), "%s: %s", place->row->path, printed);
    ck_assert_mem_eq(part + place->row->offset, again + place->row->offset,
                     param_bytes(place->row));
    free(printed);
    free(again);
    free(part);
}

START_TEST(config_rows_have_names_help_and_places)
{
    EACH_ROW(row)
    {
        ck_assert_msg(row->help && row->help[0] && row->help[strlen(row->help) - 1] != '.', "%s",
                      row->path);
        ck_assert_msg(strlen(row->path) < 100 && row->path[0] != '_', "%s", row->path);
        for (const char *c = row->path; *c; c++) {
            ck_assert_msg(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '.' ||
                              *c == '_',
                          "%s", row->path);
        }
    }
}
END_TEST

START_TEST(config_paths_are_unique_and_no_path_is_a_group)
{
    size_t count = param_count(&config_schema);

    for (size_t i = 0; i < count; i++) {
        const char *a = param_at(&config_schema, i).row->path;

        ck_assert_msg(!param_not_yet(&config_schema, a), "%s", a);
        for (size_t j = 0; j < count; j++) {
            const char *b = param_at(&config_schema, j).row->path;

            ck_assert_msg(i == j || strcmp(a, b) != 0, "%s twice", a);
            ck_assert_msg(strncmp(a, b, strlen(a)) != 0 || b[strlen(a)] != '.', "%s and %s", a, b);
        }
    }
}
END_TEST

START_TEST(config_defaults_are_values_of_their_rows)
{
    for (size_t i = 0; i < param_count(&config_schema); i++) {
        struct param_place place = param_at(&config_schema, i);

        if (place.row->fallback) {
            check_text(&place, place.row->fallback, "default");
        }
        ck_assert_msg(!place.row->required || !place.row->fallback, "%s", place.row->path);
    }
}
END_TEST

START_TEST(config_presets_set_rows_that_exist)
{
    EACH_ROW(row)
    {
        for (const struct param_choice *c = row->choices; c && c->name; c++) {
            for (const struct param_setting *s = c->preset; s && s->path; s++) {
                ptrdiff_t index = param_lookup(&config_schema, s->path, true, NULL);
                struct param_place place;

                ck_assert_msg(index >= 0, "%s %s: %s", row->path, c->name, s->path);
                place = param_at(&config_schema, (size_t)index);
                check_text(&place, s->text, "preset");
                /* Presets of presets would need an order. */
                for (const struct param_choice *d = place.row->choices; d && d->name; d++) {
                    ck_assert_ptr_eq(d->preset, NULL);
                }
            }
        }
    }
}
END_TEST

START_TEST(config_conditions_name_rows_and_values)
{
    EACH_ROW(row)
    {
        char values[200], *rest = values, *value;
        ptrdiff_t index;
        struct param_place place;

        if (!row->when_path) {
            continue;
        }
        index = param_lookup(&config_schema, row->when_path, true, NULL);
        ck_assert_msg(index >= 0, "%s: %s", row->path, row->when_path);
        place = param_at(&config_schema, (size_t)index);
        snprintf(values, sizeof values, "%s", row->when_value);
        while ((value = strsep(&rest, "|")) != NULL) {
            check_text(&place, value, "condition");
        }
    }
}
END_TEST

START_TEST(config_costs_have_a_birth_certificate)
{
    EACH_ROW(row)
    {
        struct param plain = *row;
        sim_time low = -1, high = -1, value = -1;

        if (row->kind != PARAM_COST) {
            continue;
        }
        plain.kind = PARAM_TIME;
        plain.offset = 0;
        ck_assert_msg(row->certificate.low && row->certificate.high && row->certificate.source &&
                          row->certificate.source[0],
                      "%s", row->path);
        ck_assert_msg(value_from_text(&plain, row->certificate.low, &low), "%s", row->path);
        ck_assert_msg(value_from_text(&plain, row->certificate.high, &high), "%s", row->path);
        ck_assert_msg(value_from_text(&plain, row->fallback, &value), "%s", row->path);
        ck_assert_msg(low <= value && value <= high, "%s: %s not in %s..%s", row->path,
                      row->fallback, row->certificate.low, row->certificate.high);
    }
}
END_TEST

START_TEST(config_canonical_leaves_out_what_changes_no_result)
{
    struct config *config = calloc(1, sizeof *config);
    char *before, *after;

    for (size_t i = 0; i < param_count(&config_schema); i++) {
        struct param_place place = param_at(&config_schema, i);

        if (place.row->fallback) {
            ck_assert(value_from_text(place.row, place.row->fallback, (char *)config + place.part));
        }
    }
    before = config_canonical(config);
    ck_assert(strstr(before, "\nduration=20ms\n") && strstr(before, "\nseed=1\n"));
    config->study.replications = 77;
    config->study.engine = SIM_PLAIN;
    config->study.confidence = 0.5;
    strcpy(config->study.name, "other");
    after = config_canonical(config);
    ck_assert_str_eq(before, after);
    free(after);
    config->study.seed = 2;
    after = config_canonical(config);
    ck_assert_str_ne(before, after);
    free(after);
    free(before);
    free(config);
}
END_TEST

START_TEST(config_run_id_takes_the_window_from_the_study)
{
    struct config *config = calloc(1, sizeof *config);
    struct run_id id;

    config->study =
        (struct study_config){.seed = 9, .duration = 5, .warmup = 3, .engine = SIM_PLAIN};
    id = config_run_id(config, 4);
    ck_assert(id.seed == 9 && id.replication == 4 && id.duration == 5 && id.warmup == 3 &&
              id.engine == SIM_PLAIN);
    free(config);
}
END_TEST

START_TEST(config_reference_has_every_row)
{
    char *page = NULL;
    size_t bytes;
    FILE *out = open_memstream(&page, &bytes);

    reference_write(&config_schema, out);
    fclose(out);
    EACH_ROW(row)
    {
        char cell[200];

        snprintf(cell, sizeof cell, "| `%s` |", row->path);
        ck_assert_msg(strstr(page, cell) != NULL, "%s", row->path);
    }
    free(page);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {config_rows_have_names_help_and_places,
                            config_paths_are_unique_and_no_path_is_a_group,
                            config_defaults_are_values_of_their_rows,
                            config_presets_set_rows_that_exist,
                            config_conditions_name_rows_and_values,
                            config_costs_have_a_birth_certificate,
                            config_canonical_leaves_out_what_changes_no_result,
                            config_run_id_takes_the_window_from_the_study,
                            config_reference_has_every_row,
                            NULL};

    return suite_run("config", cases);
}
