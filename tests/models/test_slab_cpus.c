/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator and the cache lines under two guest CPUs. It proves the structure: which path a free on the
 * other CPU takes and whose lines move. What a move costs is the table's.
 */
#include "tests/models/allocator_fixture.h"
#include "tests/suite.h"

#define CLASS slab_class(64)

static struct allocator a;

static void begin(int model)
{
    struct slab_config config = default_slab;
    struct slab_plan plan = {
        .least_bytes = 64, .most_bytes = 64, .live_most = LIVE_MOST, .cpus = 2};
    struct memory_config costs = default_memory;
    struct error error = {0};

    config.model = model;
    costs.cpu_read = 50 * SIM_NS;
    costs.cpu_write = 70 * SIM_NS;
    costs.cpu_post = 5 * SIM_NS;
    memset(&a, 0, sizeof(a));
    ck_assert(memory_init(&a.memory, &costs, 64, slab_address_bytes(&config, &plan), &error));
    memory_two_cpus(&a.memory);
    ck_assert(slab_init(&a.slab, &config, &plan, &a.memory, memory_table_base(&a.memory), 1, 0,
                        &error));
}

static void check(void)
{
    slab_check(&a.slab, 0);
    memory_check(&a.memory, 0);
}

static void on(uint32_t cpu)
{
    memory_switch_cpu(&a.memory, cpu);
}

/* `count` objects taken on CPU 0 and given back, first in first out, on another one. */
static void burst(uint32_t count, uint32_t cpu)
{
    uint64_t object[LIVE_MOST];

    on(0);
    for (uint32_t i = 0; i < count; i++) {
        object[i] = allocator_take(&a, CLASS);
    }
    check();
    on(cpu);
    for (uint32_t i = 0; i < count; i++) {
        allocator_give(&a, CLASS, object[i]);
        check();
    }
    on(0);
}

START_TEST(slab_free_on_another_cpu_is_always_slow)
{
    begin(SLAB_SLUB);
    burst(10, 0);
    ck_assert_uint_eq(slab_slow_frees(&a.slab), 0);
    for (uint32_t depth = 1; depth <= 200; depth += 7) {
        uint64_t slow = slab_slow_frees(&a.slab), fast = slab_fast_frees(&a.slab);

        burst(depth, 1);
        ck_assert_uint_eq(slab_slow_frees(&a.slab) - slow, depth);
        ck_assert_uint_eq(slab_fast_frees(&a.slab), fast);
    }
    allocator_fini(&a);
}
END_TEST

/* 64 objects of 64 bytes are a slab: the CPU finds its own slab filled by the other one again. */
START_TEST(slab_takes_back_what_another_cpu_freed_into_its_slab)
{
    begin(SLAB_SLUB);
    burst(40, 1);
    ck_assert_uint_eq(a.slab.returned, 0);
    burst(40, 1); /* 24 are left in the CPU's list, then the 40 come back */
    ck_assert_uint_eq(a.slab.returned, 1);
    ck_assert_uint_eq(a.slab.cache[CLASS].fresh, 1);
    allocator_fini(&a);
}
END_TEST

/* Slabs that were full go to the freeing CPU's partial list: the other CPU takes new ones until that
 * list is drained to the node's. */
START_TEST(slab_full_ones_go_to_the_freeing_cpus_partial_list)
{
    const struct slab_cache *cache = &a.slab.cache[CLASS];

    begin(SLAB_SLUB);
    burst(3 * 64 + 1, 1);
    ck_assert_uint_eq(cache->cpu[0].partial_slabs, 0);
    ck_assert_uint_eq(cache->cpu[1].partial_slabs, 3);
    ck_assert_uint_eq(cache->cpu[1].page, SLAB_NO_PAGE);
    ck_assert_uint_eq(cache->fresh, 4);
    burst(64, 1);
    ck_assert_uint_eq(cache->cpu[1].partial_slabs, 3);
    for (int i = 0; i < 50; i++) {
        burst(200, 1);
    }
    ck_assert_uint_gt(a.slab.drains, 0);
    ck_assert_uint_lt(cache->fresh, 20);
    allocator_fini(&a);
}
END_TEST

START_TEST(slab_link_of_another_cpus_free_is_fetched_by_the_allocation)
{
    uint64_t object;
    sim_time alone, before;

    begin(SLAB_SLUB);
    object = allocator_take(&a, CLASS);
    allocator_give(&a, CLASS, object);
    before = a.paid;
    object = allocator_take(&a, CLASS);
    alone = a.paid - before;
    ck_assert_uint_eq(memory_cpu_moves(&a.memory), 0);

    for (int i = 1; i < 64; i++) {
        allocator_take(&a, CLASS); /* the list is empty now */
    }
    on(1);
    allocator_give(&a, CLASS, object); /* posted store to the link, and the slab's head */
    ck_assert_uint_eq(a.memory.moves.steals, 1);
    ck_assert_uint_eq(a.memory.moves.handovers, 1);
    on(0);
    before = a.paid;
    allocator_take(&a, CLASS);
    ck_assert_uint_eq(a.memory.moves.joins, 1);
    ck_assert_uint_eq(a.memory.moves.handovers, 2);
    ck_assert_int_eq(a.paid - before, alone + default_slab.costs.slow_alloc + 2 * 50 * SIM_NS);
    allocator_fini(&a);
}
END_TEST

/* A sheaf keeps pointers: what comes back through the barn was not written by the other CPU. */
START_TEST(sheaf_objects_of_another_cpu_come_through_the_barn_untouched)
{
    const struct sheaf_set *set = &a.slab.cache[CLASS].sheaves;

    begin(SLAB_SHEAVES);
    for (int i = 0; i < 40; i++) {
        burst(59, 1);
        sheaf_check(set, 0);
    }
    ck_assert_uint_gt(set->barn_puts, 20);
    ck_assert_uint_gt(set->barn_takes, 20);
    ck_assert_uint_eq(set->flushes, 0);
    ck_assert_uint_eq(slab_slow_frees(&a.slab), 0);
    ck_assert_uint_eq(a.memory.moves.steals + a.memory.moves.joins, 0);
    ck_assert_uint_gt(a.memory.moves.handovers, 0);
    allocator_fini(&a);
}
END_TEST

START_TEST(memory_lines_move_between_the_cpus_as_the_law_says)
{
    struct memory *mem = &a.memory;

    begin(SLAB_SLUB);
    on(0);
    ck_assert_int_eq(memory_guest_write(mem, 0, 0, 8, MEMORY_RING), 0); /* cold */
    on(1);
    ck_assert_int_eq(memory_guest_read(mem, 0, 8), 50 * SIM_NS); /* joins */
    ck_assert_int_eq(memory_guest_read(mem, 0, 8), 0);
    ck_assert_int_eq(memory_guest_write(mem, 0, 0, 8, MEMORY_RING), 5 * SIM_NS); /* drops */
    on(0);
    ck_assert_int_eq(memory_guest_write(mem, 0, 0, 8, MEMORY_ALLOC), 0); /* steals: pending */
    ck_assert_int_eq(memory_drain(mem, 0), 70 * SIM_NS);
    on(1);
    ck_assert_int_eq(memory_drain(mem, 0), 0); /* the other CPU's stores are not its own */
    ck_assert_int_eq(memory_guest_read(mem, 0, 8), 50 * SIM_NS);
    memory_host_write(mem, 0, 0, 8); /* takes it from both */
    ck_assert_uint_eq(mem->moves.host_drops, 1);
    ck_assert_int_eq(memory_guest_read(mem, 0, 8), default_memory.read_used);
    memory_check(mem, 0);
    ck_assert_uint_eq(mem->moves.joins, 2);
    ck_assert_uint_eq(mem->moves.drops, 1);
    ck_assert_uint_eq(mem->moves.steals, 1);
    allocator_fini(&a);
}
END_TEST

/* One request takes a line from device and CPU: the longer way, not the sum. */
START_TEST(memory_store_to_a_line_of_both_costs_the_longer_way)
{
    struct memory *mem = &a.memory;

    begin(SLAB_SLUB);
    on(0);
    memory_guest_write(mem, 0, 0, 8, MEMORY_RING);
    memory_host_read(mem, 0, 0, 8);
    on(1);
    ck_assert_int_eq(memory_guest_write(mem, 0, 0, 8, MEMORY_RING), default_memory.write_ring);
    ck_assert_uint_eq(memory_upgrades(mem, MEMORY_RINGS), 1);
    ck_assert_uint_eq(mem->moves.steals, 1);
    allocator_fini(&a);
}
END_TEST

START_TEST(memory_handover_counts_only_from_the_other_cpu)
{
    struct memory *mem = &a.memory;
    uint8_t holder = 0;

    begin(SLAB_SLUB);
    on(0);
    ck_assert_int_eq(memory_handover(mem, &holder, 3, 50), 0); /* nobody had it */
    ck_assert_int_eq(memory_handover(mem, &holder, 3, 50), 0);
    on(1);
    ck_assert_int_eq(memory_handover(mem, &holder, 3, 50), 150);
    ck_assert_int_eq(memory_handover(mem, &holder, 3, 50), 0);
    ck_assert_uint_eq(mem->moves.handovers, 3);
    allocator_fini(&a);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {slab_free_on_another_cpu_is_always_slow,
                            slab_takes_back_what_another_cpu_freed_into_its_slab,
                            slab_full_ones_go_to_the_freeing_cpus_partial_list,
                            slab_link_of_another_cpus_free_is_fetched_by_the_allocation,
                            sheaf_objects_of_another_cpu_come_through_the_barn_untouched,
                            memory_lines_move_between_the_cpus_as_the_law_says,
                            memory_store_to_a_line_of_both_costs_the_longer_way,
                            memory_handover_counts_only_from_the_other_cpu,
                            NULL};

    return suite_run("slab cpus", cases);
}
