/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/models/tables_fixture.h"
#include "tests/suite.h"

#define RING_BYTES  1024u /* rounded up to a page: 64 lines */
#define TABLE_BYTES 1000u

static struct memory mem;

static void set_up(void)
{
    struct error error = {0};

    ck_assert(memory_init(&mem, &default_memory, RING_BYTES, TABLE_BYTES, &error));
}

static void tear_down(void)
{
    memory_check(&mem, 0);
    memory_fini(&mem);
}

START_TEST(memory_regions_are_whole_pages)
{
    ck_assert_uint_eq(memory_table_base(&mem), 4096);
    ck_assert_uint_eq(mem.line_count, 128);
}
END_TEST

START_TEST(memory_first_store_to_a_cold_line_is_free)
{
    for (enum memory_phase phase = 0; phase < MEMORY_PHASES; phase++) {
        ck_assert_int_eq(memory_guest_write(&mem, 0, 64 * (uint64_t)phase, 8, phase), 0);
    }
    ck_assert_int_eq(memory_drain(&mem, 0), 0);
    ck_assert_uint_eq(memory_lines_in(&mem, MEMORY_RINGS, MEMORY_GUEST), 3);
}
END_TEST

START_TEST(memory_ring_and_hidden_upgrades_are_charged_when_issued)
{
    memory_guest_write(&mem, 0, 0, 200, MEMORY_RING);
    memory_host_read(&mem, 0, 0, 200);
    ck_assert_int_eq(memory_guest_write(&mem, 0, 10, 16, MEMORY_RING), 12 * SIM_NS);
    ck_assert_int_eq(memory_guest_write(&mem, 0, 10, 16, MEMORY_RING), 0);
    ck_assert_int_eq(memory_guest_write(&mem, 0, 64, 80, MEMORY_FREE), 2 * 5 * SIM_NS);
    ck_assert_int_eq(memory_drain(&mem, 0), 0);
}
END_TEST

START_TEST(memory_exposed_upgrade_is_waited_for_at_the_drain)
{
    uint64_t table = memory_table_base(&mem);

    memory_guest_write(&mem, 0, table, 64, MEMORY_FREE);
    memory_host_read(&mem, 0, table, 32);
    ck_assert_int_eq(memory_guest_write(&mem, 1000, table, 32, MEMORY_ALLOC), 0);
    ck_assert_int_eq(memory_drain(&mem, 1000 + 50 * SIM_NS), 7 * SIM_NS);
    ck_assert_int_eq(memory_drain(&mem, 1000 + 50 * SIM_NS), 0);
}
END_TEST

START_TEST(memory_drain_waits_for_the_latest_store_not_the_sum)
{
    uint64_t table = memory_table_base(&mem);

    memory_guest_write(&mem, 0, table, 640, MEMORY_FREE);
    memory_host_read(&mem, 0, table, 640);
    ck_assert_int_eq(memory_guest_write(&mem, 0, table, 320, MEMORY_ALLOC), 0);
    ck_assert_int_eq(memory_guest_write(&mem, 20 * SIM_NS, table + 320, 64, MEMORY_ALLOC), 0);
    ck_assert_uint_eq(mem.count[MEMORY_TABLES].upgrades[MEMORY_ALLOC], 6);
    ck_assert_int_eq(memory_drain(&mem, 30 * SIM_NS), 47 * SIM_NS);
}
END_TEST

START_TEST(memory_drain_after_completion_waits_nothing)
{
    uint64_t table = memory_table_base(&mem);

    memory_guest_write(&mem, 0, table, 64, MEMORY_FREE);
    memory_host_read(&mem, 0, table, 64);
    memory_guest_write(&mem, 0, table, 64, MEMORY_ALLOC);
    ck_assert_int_eq(memory_drain(&mem, 57 * SIM_NS), 0);
}
END_TEST

START_TEST(memory_used_entry_costs_its_first_reader_once)
{
    memory_host_write(&mem, 0, 128, 8);
    ck_assert_int_eq(memory_guest_read(&mem, 128, 8), 60 * SIM_NS);
    ck_assert_int_eq(memory_guest_read(&mem, 136, 8), 0);
    memory_host_write(&mem, 0, 136, 8);
    ck_assert_int_eq(memory_guest_read(&mem, 136, 8), 60 * SIM_NS);
    ck_assert_uint_eq(mem.count[MEMORY_RINGS].guest_fetches, 2);
}
END_TEST

START_TEST(memory_two_tables_on_a_line_move_the_upgrade_and_add_none)
{
    uint64_t a = memory_table_base(&mem), b = a + 32;

    memory_guest_write(&mem, 0, a, 64, MEMORY_FREE);
    memory_host_read(&mem, 0, a, 32);
    memory_guest_write(&mem, 0, a + 16, 8, MEMORY_FREE); /* free of a */
    memory_host_read(&mem, 0, b, 32);                    /* the neighbour is still in flight */
    memory_guest_write(&mem, 0, a, 32, MEMORY_ALLOC);    /* a is used again */
    ck_assert_uint_eq(mem.count[MEMORY_TABLES].upgrades[MEMORY_FREE], 1);
    ck_assert_uint_eq(mem.count[MEMORY_TABLES].upgrades[MEMORY_ALLOC], 1);
    ck_assert_uint_eq(mem.count[MEMORY_TABLES].host_fetches, 2);
}
END_TEST

START_TEST(memory_line_of_another_node_costs_more_whenever_it_moves)
{
    uint64_t table = memory_table_base(&mem), remote = table + 256;

    mem.config.remote = 60 * SIM_NS;
    mem.config.host_read = 10 * SIM_NS;
    memory_set_remote(&mem, remote);
    ck_assert_int_eq(memory_guest_write(&mem, 0, table, 64, MEMORY_ALLOC), 0);
    ck_assert_int_eq(memory_guest_write(&mem, 0, remote, 128, MEMORY_ALLOC), 2 * 60 * SIM_NS);
    ck_assert_int_eq(memory_host_read(&mem, 0, table, 64), 10 * SIM_NS);
    ck_assert_int_eq(memory_host_read(&mem, 0, remote, 64), 70 * SIM_NS);
    ck_assert_int_eq(memory_guest_write(&mem, 0, remote, 64, MEMORY_FREE), 65 * SIM_NS);
    ck_assert_int_eq(memory_guest_write(&mem, 0, remote, 64, MEMORY_FREE), 0);
    memory_host_read(&mem, 0, remote, 64);
    ck_assert_int_eq(memory_guest_write(&mem, 0, remote, 64, MEMORY_ALLOC), 0);
    ck_assert_int_eq(memory_drain(&mem, 0), (57 + 60) * SIM_NS);
}
END_TEST

START_TEST(memory_host_cannot_read_a_table_that_was_never_written)
{
    memory_host_read(&mem, 0, memory_table_base(&mem), 16);
}
END_TEST

START_TEST(memory_host_cannot_write_a_table)
{
    memory_host_write(&mem, 0, memory_table_base(&mem), 16);
}
END_TEST

/* An independent account of a line: when each kind of access last happened. */
struct history {
    uint64_t guest_read, guest_write, host_read, host_write;
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static sim_time expect_access(struct history *line, int kind, enum memory_phase phase, uint64_t t)
{
    uint64_t host = later(line->host_read, line->host_write);
    sim_time cost = 0;

    if (kind == 0) {
        cost = host > line->guest_write && phase != MEMORY_ALLOC ? mem.issue[phase] : 0;
        line->guest_write = t;
    } else if (kind == 1) {
        cost = line->host_write > later(line->guest_read, line->guest_write) ? mem.config.read_used
                                                                             : 0;
        line->guest_read = t;
    } else if (kind == 2) {
        line->host_read = t;
    } else {
        line->host_write = t;
    }
    return cost;
}

/* One access of 1..200 bytes on both accounts. */
static void random_access(struct stream *stream, struct history *history, uint64_t t)
{
    uint32_t bytes = 1 + (uint32_t)stream_below(stream, 200);
    uint64_t address = stream_below(stream, 128 * 64 - bytes);
    uint64_t last = (address + bytes - 1) / 64;
    int kind = (int)stream_below(stream, 4);
    enum memory_phase phase = (enum memory_phase)stream_below(stream, MEMORY_PHASES);
    sim_time cost = 0, expected = 0;

    for (uint64_t i = address / 64; i <= last; i++) {
        /* The host only touches tables as a reader, and only what was written. */
        if (i >= 64 && (kind == 3 || (kind == 2 && history[i].guest_write == 0))) {
            return;
        }
    }
    for (uint64_t i = address / 64; i <= last; i++) {
        expected += expect_access(&history[i], kind, phase, t);
    }
    if (kind == 0) {
        cost = memory_guest_write(&mem, (sim_time)t, address, bytes, phase);
    } else if (kind == 1) {
        cost = memory_guest_read(&mem, address, bytes);
    } else if (kind == 2) {
        cost = memory_host_read(&mem, (sim_time)t, address, bytes);
    } else {
        memory_host_write(&mem, (sim_time)t, address, bytes);
    }
    ck_assert_int_eq(cost, expected);
}

START_TEST(memory_conserves_lines_under_random_operations)
{
    struct history history[128] = {{0}};
    struct stream stream;

    stream_init(&stream, 7, 0, "test");
    for (uint64_t t = 1; t <= 100000; t++) {
        random_access(&stream, history, t);
        memory_check(&mem, (sim_time)t);
    }
    ck_assert_uint_gt(memory_upgrades(&mem, MEMORY_TABLES), 1000);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = memory_regions_are_whole_pages},
        {.test = memory_first_store_to_a_cold_line_is_free},
        {.test = memory_ring_and_hidden_upgrades_are_charged_when_issued},
        {.test = memory_exposed_upgrade_is_waited_for_at_the_drain},
        {.test = memory_drain_waits_for_the_latest_store_not_the_sum},
        {.test = memory_drain_after_completion_waits_nothing},
        {.test = memory_used_entry_costs_its_first_reader_once},
        {.test = memory_two_tables_on_a_line_move_the_upgrade_and_add_none},
        {.test = memory_line_of_another_node_costs_more_whenever_it_moves},
        {.test = memory_host_cannot_read_a_table_that_was_never_written, .signal = SIGABRT},
        {.test = memory_host_cannot_write_a_table, .signal = SIGABRT},
        {.test = memory_conserves_lines_under_random_operations},
        {0},
    };

    return suite_run_cases("memory", set_up, tear_down, cases);
}
