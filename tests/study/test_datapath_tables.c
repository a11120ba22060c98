/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocator, memory and mapping in the datapath as a whole: what must not change anything does not,
 * to the bit, and what must show does. Every run ends with the accounts of the datapath asserted,
 * so a combination that runs has kept all of them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/study/scenario.h"
#include "tests/suite.h"

#define XSK                                                                                        \
    "\"duration\": \"3ms\", \"warmup\": \"1ms\", \"guest.path\": \"xsk\", \"workload\": "          \
    "{\"type\": \"saturating\", \"size\": 64}, \"guest.xsk.kick\": \"packet\""
#define SOCKET                                                                                     \
    "\"duration\": \"3ms\", \"warmup\": \"1ms\", \"workload\": {\"type\": \"saturating\", "        \
    "\"size\": 1514, \"frags\": {\"uniform\": [0, 17]}, \"window\": 100}, "                        \
    "\"guest.stack.packet\": "                                                                     \
    "\"300ns\", \"guest.stack.per_byte\": \"0ns\""

/* One run of a scenario of these members; the caller frees it. */
static struct run_result *run(const char *members, const char *more)
{
    struct scenario_options options = {0};
    struct run_result *result = run_result_new();
    struct config *config = malloc(sizeof *config);
    struct problems problems;
    struct scenario *scenario;
    struct error error = {0};
    struct run_id id;
    char text[2048];

    snprintf(text, sizeof text, "{\"version\": 1, \"name\": \"test\", %s%s%s}", members,
             more[0] ? ", " : "", more);
    problems_init(&problems);
    scenario = scenario_open_text("test.json", text, strlen(text), &options, &problems);
    ck_assert_msg(scenario != NULL, "refused: %s", text);
    problems_fini(&problems);
    scenario_config(scenario, 0, 0, config);
    id = config_run_id(config, 0);
    ck_assert(datapath_run(&config->datapath, &id, result, &error));
    ck_assert_double_eq(result->metric[METRIC_HUNG], 0);
    scenario_free(scenario);
    free(config);
    return result;
}

static uint64_t bits(const char *members, const char *more)
{
    struct run_result *result = run(members, more);
    uint64_t fingerprint = result->fingerprint;

    run_result_free(result);
    return fingerprint;
}

static double guest_ns(const char *members, const char *more)
{
    struct run_result *result = run(members, more);
    double ns = result->metric[METRIC_GUEST_NS];

    run_result_free(result);
    return ns;
}

START_TEST(what_is_off_changes_nothing)
{
    const char *const off[] = {
        "\"guest.slab.profile\": \"none\"",
        "\"guest.slab.bulk\": 0",
        "\"guest.slab.background\": 0, \"guest.slab.background_lifetime\": 7",
        "\"host.placement\": \"same_llc\"",
        "\"guest.dma\": \"none\"",
        "\"costs.sheaf.fast\": \"99ns\"",
        "\"costs.dma.map\": \"99ns\"",
        "\"costs.slab.bulk_object\": \"9ns\"",
    };
    uint64_t plain = bits(SOCKET, "");

    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        ck_assert_msg(bits(SOCKET, off[i]) == plain, "%s", off[i]);
    }
}
END_TEST

START_TEST(what_costs_nothing_changes_nothing)
{
    const char *array = "\"guest.desc_cache.variant\": \"v4\", \"guest.virtio_desc_cache_thr\": 18";
    char remote[256];

    ck_assert(bits(SOCKET,
                   "\"guest.dma\": \"map\", \"costs.dma.map\": \"0ns\", \"costs.dma.unmap\": "
                   "\"0ns\"") == bits(SOCKET, ""));
    snprintf(remote, sizeof remote,
             "%s, \"guest.desc_cache.node\": \"remote\", \"costs.memory.remote\": \"0ns\"", array);
    ck_assert(bits(SOCKET, remote) == bits(SOCKET, array));
}
END_TEST

START_TEST(a_cache_that_always_hits_does_not_see_the_allocator)
{
    const char *cache = "\"guest.virtio_desc_cache_thr\": 4, \"guest.desc_cache.variant\": \"v4\"";
    const char *with[] = {"\"guest.slab.model\": \"sheaves\"", "\"guest.slab.bulk\": 16",
                          "\"guest.slab.profile\": \"newest\""};
    uint64_t plain = bits(XSK, cache);

    for (size_t i = 0; i < sizeof with / sizeof with[0]; i++) {
        char both[256];

        snprintf(both, sizeof both, "%s, %s", cache, with[i]);
        ck_assert(bits(XSK, both) == plain);
    }
}
END_TEST

/* Two entries: a table is mapped and unmapped once a packet, the frames are mapped already. */
START_TEST(mapping_a_table_costs_its_two_prices_a_packet)
{
    const char *thr = "\"guest.virtio_desc_cache_thr\": 4";
    const char *keeps = "\"guest.virtio_desc_cache_thr\": 4, \"guest.dma\": \"map\", "
                        "\"guest.desc_cache.keeps_mapping\": true";
    const char *maps = "\"guest.virtio_desc_cache_thr\": 4, \"guest.dma\": \"map\"";
    double plain = guest_ns(XSK, thr);

    ck_assert_double_eq_tol(guest_ns(XSK, keeps), plain, 1);
    ck_assert_double_eq_tol(guest_ns(XSK, maps) - plain, 120, 3);
}
END_TEST

/* The waits for lines are what the prices of lines make of the run. */
START_TEST(waits_for_lines_are_told_apart_by_mechanism)
{
    const char *thr[] = {"\"guest.virtio_desc_cache_thr\": 0",
                         "\"guest.virtio_desc_cache_thr\": 4",
                         "\"guest.virtio_desc_cache_thr\": 4, \"guest.desc_cache.variant\": \"v4\"",
                         "\"guest.slab.model\": \"sheaves\"",
                         "\"guest.slab.bulk\": 16, \"guest.slab.init_on_alloc\": true"};

    for (size_t i = 0; i < sizeof thr / sizeof thr[0]; i++) {
        char free_of_charge[400];

        for (int socket = 0; socket < 2; socket++) {
            const char *members = socket ? SOCKET : XSK;
            struct run_result *result = run(members, thr[i]);
            const double *m = result->metric;

            ck_assert_double_eq_tol(m[METRIC_ALLOCATOR_NS] + m[METRIC_CACHE_NS] +
                                        m[METRIC_HIDDEN_NS],
                                    m[METRIC_TABLE_NS], 1e-9);
            ck_assert_double_gt(m[METRIC_RING_LINES_NS], 0);
            ck_assert_double_gt(m[METRIC_HIDDEN_NS], 0);
            ck_assert_double_le(m[METRIC_EXPOSED_NS],
                                result->symbol_ns_per_packet[SYMBOL_ADD] +
                                    result->symbol_ns_per_packet[SYMBOL_KICK_PREPARE]);
            run_result_free(result);

            snprintf(free_of_charge, sizeof free_of_charge,
                     "%s, \"costs.memory.write_alloc\": \"0ns\", \"costs.memory.write_free\": "
                     "\"0ns\", \"costs.memory.write_ring\": \"0ns\", "
                     "\"costs.memory.read_used\": \"0ns\"",
                     thr[i]);
            result = run(members, free_of_charge);
            ck_assert_double_eq(result->metric[METRIC_RING_LINES_NS], 0);
            ck_assert_double_eq(result->metric[METRIC_HIDDEN_NS], 0);
            ck_assert_double_eq(result->metric[METRIC_EXPOSED_NS], 0);
            run_result_free(result);
        }
    }
}
END_TEST

START_TEST(nearer_cpus_are_never_slower)
{
    const char *const at[] = {"sibling", "same_llc", "cross_llc", "remote"};
    double last = 0;

    for (int i = 0; i < 4; i++) {
        char more[128];
        double ns;

        snprintf(more, sizeof more,
                 "\"host.placement\": \"%s\", \"guest.virtio_desc_cache_thr\": 0", at[i]);
        ns = guest_ns(XSK, more);
        ck_assert_double_gt(ns, last);
        last = ns;
    }
}
END_TEST

START_TEST(every_combination_keeps_the_accounts)
{
    const char *const kernels[] = {"3.13", "6.1", "6.15", "7.0"};
    const char *const profiles[] = {"none", "debian12", "el9", "newest"};
    const char *const mappings[] = {"none", "map", "bounce"};
    const char *const variants[] = {"v1", "v2", "v3", "v4"};

    for (unsigned i = 0; i < 48; i++) {
        char more[640];
        struct run_result *result;

        snprintf(more, sizeof more,
                 "\"kernel\": \"%s\", \"guest.slab.profile\": \"%s\", \"guest.dma\": \"%s\", "
                 "\"guest.desc_cache.variant\": \"%s\", \"guest.virtio_desc_cache_thr\": %u, "
                 "\"guest.slab.bulk\": %u, \"guest.slab.background\": %s, "
                 "\"guest.tx_ring.layout\": \"%s\", "
                 "\"guest.desc_cache.node\": \"%s\", \"guest.desc_cache.keeps_mapping\": %s, "
                 "\"guest.slab.tables\": \"%s\", \"host.backend.type\": \"%s\"",
                 kernels[i % 4], profiles[i / 4 % 4], mappings[i % 3], variants[i / 3 % 4],
                 i * 5 % 20, i % 5 * 8, i % 7 == 0 ? "1.5" : "0", i % 2 ? "packed" : "split",
                 i % 3 ? "remote" : "local", i % 5 ? "true" : "false",
                 i % 6 == 5 ? "kmem_cache" : "kmalloc", i % 4 == 2 ? "kicked" : "polling");
        result = run(i % 8 < 4 ? SOCKET : XSK, more);
        ck_assert_uint_gt(result->packets, 0);
        run_result_free(result);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {what_is_off_changes_nothing,
                            what_costs_nothing_changes_nothing,
                            a_cache_that_always_hits_does_not_see_the_allocator,
                            mapping_a_table_costs_its_two_prices_a_packet,
                            waits_for_lines_are_told_apart_by_mechanism,
                            nearer_cpus_are_never_slower,
                            every_combination_keeps_the_accounts,
                            NULL};

    return suite_run("datapath tables", cases);
}
