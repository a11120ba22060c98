/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/schema.h"

#include <math.h>
#include <string.h>

#include "sim/engine/decimal.h"
#include "sim/engine/unit.h"
#include "sim/study/json_out.h"
#include "sim/study/param_tree.h"

#define NUMBER_PATTERN "-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?"

/* The pattern of a quantity: one number, a blank or none, one unit of the list "ps, ns, us". */
static void put_quantity(struct json_out *json, enum unit_family family, bool bare)
{
    char pattern[300], units[120];
    size_t used = 0;
    bool gap = false;

    for (const char *u = unit_list(family); *u && used + 2 < sizeof units; u++) {
        if (*u == ',' || *u == ' ') {
            gap = true;
            continue;
        }
        if (gap) {
            units[used++] = '|';
            gap = false;
        }
        units[used++] = *u;
    }
    units[used] = '\0';
    snprintf(pattern, sizeof pattern, "^" NUMBER_PATTERN " ?(%s)%s$", units, bare ? "?" : "");
    json_text(json, "type", "string");
    json_text(json, "pattern", pattern);
}

static void put_limits(struct json_out *json, const struct param *row)
{
    double most = row->clamps ? UINT32_MAX : param_most(row);

    if (row->above_zero) {
        json_number(json, "exclusiveMinimum", 0);
    } else if (row->kind != PARAM_RATIO || row->least != 0 || row->most != 0) {
        json_number(json, "minimum", row->least);
    }
    if (row->kind == PARAM_U64 && row->most == 0) {
        json_unsigned(json, "maximum", UINT64_MAX);
    } else if (isfinite(most)) {
        json_number(json, row->below_most ? "exclusiveMaximum" : "maximum", most);
    }
}

/* An alternative that is a plain whole number, and one of the object forms of a distribution. */
static void put_dist(struct json_out *json, const struct param *row)
{
    static const char *const forms[] = {"uniform", "list", "histogram"};

    json_array(json, "oneOf");
    json_object(json, NULL);
    json_text(json, "type", "integer");
    put_limits(json, row);
    json_end(json);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        json_object(json, NULL);
        json_text(json, "type", "object");
        json_array(json, "required");
        json_text(json, NULL, forms[i]);
        json_end(json);
        json_object(json, "properties");
        json_object(json, forms[i]);
        json_text(json, "type", "array");
        json_end(json);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void put_cost(struct json_out *json)
{
    static const char *const texts[] = {"low", "high", "status", "source"};

    json_array(json, "oneOf");
    json_object(json, NULL);
    put_quantity(json, UNIT_TIME, false);
    json_end(json);
    json_object(json, NULL);
    json_text(json, "type", "object");
    json_array(json, "required");
    json_text(json, NULL, "value");
    json_end(json);
    json_object(json, "properties");
    json_object(json, "value");
    put_quantity(json, UNIT_TIME, false);
    json_end(json);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_object(json, texts[i]);
        json_text(json, "type", "string");
        json_end(json);
    }
    json_end(json);
    json_end(json);
    json_end(json);
}

static void put_type(struct json_out *json, const struct param *row);

static void put_array(struct json_out *json, const struct param *row)
{
    json_text(json, "type", "array");
    json_unsigned(json, "maxItems", row->items_most);
    json_object(json, "items");
    json_text(json, "type", "object");
    json_object(json, "properties");
    for (size_t i = 0; i < row->item_count; i++) {
        json_object(json, row->item[i].path);
        json_text(json, "description", row->item[i].help);
        put_type(json, &row->item[i]);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_type(struct json_out *json, const struct param *row)
{
    switch (row->kind) {
    case PARAM_BOOL:
        json_text(json, "type", "boolean");
        break;
    case PARAM_COUNT:
    case PARAM_U64:
        json_text(json, "type", "integer");
        put_limits(json, row);
        break;
    case PARAM_BYTES:
        json_array(json, "oneOf");
        json_object(json, NULL);
        json_text(json, "type", "integer");
        put_limits(json, row);
        json_end(json);
        json_object(json, NULL);
        put_quantity(json, UNIT_BYTES, true);
        json_end(json);
        json_end(json);
        break;
    case PARAM_RATIO:
        json_text(json, "type", "number");
        put_limits(json, row);
        break;
    case PARAM_TIME:
        put_quantity(json, UNIT_TIME, false);
        break;
    case PARAM_COST:
        put_cost(json);
        break;
    case PARAM_PPS:
        put_quantity(json, UNIT_PPS, false);
        break;
    case PARAM_BPS:
        put_quantity(json, UNIT_BPS, false);
        break;
    case PARAM_CHOICE:
        json_array(json, "enum");
        for (const struct param_choice *c = row->choices; c->name; c++) {
            json_text(json, NULL, c->name);
        }
        json_end(json);
        break;
    case PARAM_TEXT:
        json_text(json, "type", "string");
        json_unsigned(json, "maxLength", PARAM_TEXT_BYTES - 1);
        break;
    case PARAM_DIST:
        put_dist(json, row);
        break;
    case PARAM_ARRAY:
        put_array(json, row);
        break;
    }
}

static void put_row(struct json_out *json, const char *key, const struct param *row)
{
    json_object(json, key);
    json_text(json, "description", row->help);
    put_type(json, row);
    json_end(json);
}

/* Closed objects; keys with _ are comments. */
static void open_object(struct json_out *json)
{
    json_text(json, "type", "object");
    json_bool(json, "additionalProperties", false);
    json_object(json, "patternProperties");
    json_object(json, "^_");
    json_end(json);
    json_end(json);
    json_object(json, "properties");
}

static void on_open(void *context, const char *key)
{
    json_object(context, key);
    open_object(context);
}

static void on_leaf(void *context, const char *key, size_t index, struct param_place place)
{
    (void)index;
    put_row(context, key, place.row);
    if (place.row->alias && strcmp(place.row->alias, key) != 0) {
        put_row(context, place.row->alias, place.row);
    }
}

static void on_close(void *context)
{
    json_end(context);
    json_end(context);
}

static void put_section(struct json_out *json, const char *key, const char *type,
                        const char *values, const char *help)
{
    json_object(json, key);
    json_text(json, "description", help);
    json_text(json, "type", type);
    if (values) {
        json_object(json, strcmp(type, "array") == 0 ? "items" : "additionalProperties");
        json_text(json, "type", values);
        json_end(json);
    }
    json_end(json);
}

static void put_sections(struct json_out *json)
{
    json_object(json, "include");
    json_text(json, "description", "files read before this one, relative to it");
    json_array(json, "type");
    json_text(json, NULL, "string");
    json_text(json, NULL, "array");
    json_end(json);
    json_end(json);
    put_section(json, "cases", "object", NULL, "named sets of overrides, crossed like an axis");
    put_section(json, "variants", "object", NULL,
                "named sets of overrides, compared pair by pair with the first");
    put_section(json, "sweep", "object", NULL,
                "axes, crossed: a parameter's path and a list or a range");
    put_section(json, "sweep_zip", "object", NULL, "axes walked in lockstep");
    put_section(json, "expect", "array", "string", "assertions on metric means");
}

void schema_write(const struct param_schema *schema, FILE *out)
{
    struct json_out json;
    struct param_tree_visitor visitor = {
        .context = &json, .open = on_open, .leaf = on_leaf, .close = on_close};

    json_init(&json, out, 8);
    json_object(&json, NULL);
    json_text(&json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    json_text(&json, "title", "vqsim scenario");
    open_object(&json);
    put_sections(&json);
    param_tree_walk(schema, &visitor);
    json_end(&json);
    json_end(&json);
}
