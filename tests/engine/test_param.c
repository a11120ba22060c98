/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/param.h"

#include <string.h>

#include "tests/suite.h"

/* A schema of its own: two parts, the second put together elsewhere. */
struct item {
    double weight;
    uint32_t size;
};

struct alpha {
    bool flag;
    uint32_t ring;
    uint64_t seed, room;
    double share;
    int mode;
};

struct beta {
    sim_time wait, cost;
    double pps, bps;
    char text[PARAM_TEXT_BYTES];
    struct dist dist;
    uint32_t count;
    struct item items[4];
};

struct whole {
    struct alpha alpha;
    struct beta beta;
};

static const struct param_choice modes[] = {{.name = "slow"}, {.name = "fast"}, {0}};

static const struct param alpha_rows[] = {
    {.path = "a.flag",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct alpha, flag),
     .alias = "kflag"},
    {.path = "a.ring.size",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct alpha, ring),
     .least = 2,
     .most = 32768,
     .power_of_two = true},
    {.path = "a.seed", .kind = PARAM_U64, .offset = offsetof(struct alpha, seed)},
    {.path = "a.room", .kind = PARAM_BYTES, .offset = offsetof(struct alpha, room)},
    {.path = "a.share",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct alpha, share),
     .most = 1,
     .above_zero = true,
     .below_most = true},
    {.path = "mode",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct alpha, mode),
     .choices = modes},
};

static const struct param item_rows[] = {
    {.path = "weight", .kind = PARAM_RATIO, .offset = offsetof(struct item, weight)},
    {.path = "size", .kind = PARAM_COUNT, .offset = offsetof(struct item, size)},
};

static const struct param beta_rows[] = {
    {.path = "b.wait", .kind = PARAM_TIME, .offset = offsetof(struct beta, wait)},
    {.path = "b.cost", .kind = PARAM_COST, .offset = offsetof(struct beta, cost)},
    {.path = "b.pps", .kind = PARAM_PPS, .offset = offsetof(struct beta, pps)},
    {.path = "b.bps", .kind = PARAM_BPS, .offset = offsetof(struct beta, bps)},
    {.path = "b.text", .kind = PARAM_TEXT, .offset = offsetof(struct beta, text)},
    {.path = "b.size", .kind = PARAM_DIST, .offset = offsetof(struct beta, dist)},
    {.path = "b.items",
     .kind = PARAM_ARRAY,
     .offset = offsetof(struct beta, count),
     .item = item_rows,
     .item_count = 2,
     .items_offset = offsetof(struct beta, items),
     .item_bytes = sizeof(struct item),
     .items_most = 4},
};

static const struct param_table alpha_table = PARAM_TABLE("alpha", struct alpha, alpha_rows, NULL);
static const struct param_table beta_table = PARAM_TABLE("beta", struct beta, beta_rows, NULL);
static const struct param_part first[] = {{&alpha_table, offsetof(struct whole, alpha)}};
static const struct param_part second[] = {{&beta_table, 0}};
static const size_t second_count = 1;
static const char *const not_yet[] = {"a.later", "c", NULL};

static const struct param_schema schema = {.config_bytes = sizeof(struct whole),
                                           .parts = first,
                                           .count = 1,
                                           .further = second,
                                           .further_count = &second_count,
                                           .further_offset = offsetof(struct whole, beta),
                                           .not_yet = not_yet};

static void check_field(const struct whole *whole, const char *path, const char *expected)
{
    size_t offset;
    const struct param *row = param_find(&schema, path, &offset);
    char buffer[500];

    ck_assert(row != NULL);
    ck_assert_int_eq(param_print(row, (const char *)whole + offset, buffer, sizeof buffer),
                     (int)strlen(expected));
    ck_assert_str_eq(buffer, expected);
    /* The length is told without room, too. */
    ck_assert_int_eq(param_print(row, (const char *)whole + offset, NULL, 0),
                     (int)strlen(expected));
    ck_assert_int_eq(param_print(row, (const char *)whole + offset, buffer, 3),
                     (int)strlen(expected));
}

static struct whole example(void)
{
    struct whole w;

    memset(&w, 0, sizeof w);
    w.alpha = (struct alpha){
        .flag = true, .ring = 256, .seed = UINT64_MAX, .room = 65536, .share = 0.05, .mode = 1};
    w.beta.wait = 200 * SIM_MS;
    w.beta.cost = 19300;
    w.beta.pps = 1e5;
    w.beta.bps = 1e10;
    strcpy(w.beta.text, "a \"b\"");
    w.beta.dist =
        (struct dist){.kind = DIST_LIST, .count = 2, .bin = {{60, 60, 0.25}, {1514, 1514, 0.75}}};
    w.beta.count = 2;
    w.beta.items[0] = (struct item){0.5, 64};
    w.beta.items[1] = (struct item){2, 1500};
    return w;
}

START_TEST(param_prints_canonical_text)
{
    struct whole w = example();

    check_field(&w, "a.flag", "true");
    check_field(&w, "a.ring.size", "256");
    check_field(&w, "a.seed", "18446744073709551615");
    check_field(&w, "a.room", "64KiB");
    check_field(&w, "a.share", "0.05");
    check_field(&w, "mode", "fast");
    check_field(&w, "b.wait", "200ms");
    check_field(&w, "b.cost", "19.3ns");
    check_field(&w, "b.pps", "100kpps");
    check_field(&w, "b.bps", "10Gbit/s");
    check_field(&w, "b.text", "a \"b\"");
    check_field(&w, "b.size", "{\"list\": [[60, 0.25], [1514, 0.75]]}");
    check_field(&w, "b.items",
                "[{\"weight\": 0.5, \"size\": 64}, {\"weight\": 2, \"size\": 1500}]");
    w.alpha.room = 1500;
    check_field(&w, "a.room", "1500");
    w.beta.dist = (struct dist){.kind = DIST_HISTOGRAM, .count = 1, .bin = {{1, 4, 0.3}}};
    check_field(&w, "b.size", "{\"histogram\": [[1, 4, 0.3]]}");
    w.beta.dist = (struct dist){.kind = DIST_UNIFORM, .count = 1, .bin = {{1, 17, 1}}};
    check_field(&w, "b.size", "{\"uniform\": [1, 17]}");
    dist_constant(&w.beta.dist, 1500);
    check_field(&w, "b.size", "1500");
}
END_TEST

START_TEST(param_packs_only_what_is_used_and_unpacks_all_of_it)
{
    struct whole from = example(), to;

    memset(&to, 0xa5, sizeof to);
    ck_assert_uint_eq(param_count(&schema), 13);
    for (size_t i = 0; i < param_count(&schema); i++) {
        struct param_place place = param_at(&schema, i);
        unsigned char packed[sizeof(struct dist)];
        size_t bytes = param_packed_bytes(place.row, (const char *)&from + place.part);

        ck_assert_uint_le(bytes, sizeof packed);
        param_pack(place.row, (const char *)&from + place.part, packed);
        param_unpack(place.row, packed, (char *)&to + place.part);
        ck_assert_mem_eq((const char *)&to + place.part + place.row->offset,
                         (const char *)&from + place.part + place.row->offset,
                         param_bytes(place.row));
    }
    ck_assert_mem_eq(to.beta.items, from.beta.items, sizeof to.beta.items);
    ck_assert_uint_lt(param_packed_bytes(&beta_rows[5], &from.beta), 100);
}
END_TEST

START_TEST(param_lookup_takes_paths_aliases_and_last_parts)
{
    size_t matches = 99;

    ck_assert_int_eq(param_lookup(&schema, "a.ring.size", true, &matches), 1);
    ck_assert_int_eq(param_lookup(&schema, "a.kflag", true, &matches), 0);
    ck_assert_int_eq(param_lookup(&schema, "kflag", true, &matches), -1);
    ck_assert_int_eq(param_lookup(&schema, "kflag", false, &matches), 0);
    ck_assert_int_eq(param_lookup(&schema, "ring.size", false, &matches), 1);
    ck_assert_int_eq(param_lookup(&schema, "size", false, &matches), -1);
    ck_assert_uint_eq(matches, 2);
    ck_assert_int_eq(param_lookup(&schema, "ize", false, &matches), -1);
    ck_assert_uint_eq(matches, 0);
    ck_assert_int_eq(param_lookup(&schema, "mode", true, &matches), 5);
    ck_assert_int_eq(param_lookup(&schema, "", false, &matches), -1);
    ck_assert_int_eq(param_lookup(&schema, "b.wait", true, &matches), 6);
    ck_assert_ptr_eq(param_find(&schema, "a.kflag", NULL), NULL);
}
END_TEST

START_TEST(param_not_yet_covers_what_lies_below)
{
    ck_assert(param_not_yet(&schema, "c"));
    ck_assert(param_not_yet(&schema, "c.d.e"));
    ck_assert(param_not_yet(&schema, "a.later.x"));
    ck_assert(!param_not_yet(&schema, "a.laters"));
    ck_assert(!param_not_yet(&schema, "a"));
}
END_TEST

START_TEST(param_says_its_limits)
{
    static const struct param clamped = {
        .path = "t", .kind = PARAM_COUNT, .most = 19, .clamps = true};
    static const struct param times = {.path = "t", .kind = PARAM_TIME, .most = 2e12};
    char text[300];

    param_limits(&alpha_rows[1], text, sizeof text);
    ck_assert_str_eq(text, "2..32768, a power of two");
    param_limits(&alpha_rows[4], text, sizeof text);
    ck_assert_str_eq(text, "> 0 and < 1");
    param_limits(&clamped, text, sizeof text);
    ck_assert_str_eq(text, "0..4294967295 (above 19 is clamped)");
    param_limits(&times, text, sizeof text);
    ck_assert_str_eq(text, "0ns..2s");
    param_limits(&alpha_rows[2], text, sizeof text);
    ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {param_prints_canonical_text,
                            param_packs_only_what_is_used_and_unpacks_all_of_it,
                            param_lookup_takes_paths_aliases_and_last_parts,
                            param_not_yet_covers_what_lies_below,
                            param_says_its_limits,
                            NULL};

    return suite_run("param", cases);
}
