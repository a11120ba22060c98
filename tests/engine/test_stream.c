/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/stream.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <string.h>

#include "tests/bands.h"
#include "tests/suite.h"

/* The generator again, from its definition, with the state as an array of columns. */
static uint64_t reference_next(uint64_t s[4])
{
    uint64_t sum = s[0] + s[3];
    uint64_t result = (sum << 23 | sum >> 41) + s[0];
    uint64_t old[4];

    memcpy(old, s, sizeof old);
    s[0] = old[0] ^ old[3] ^ old[1];
    s[1] = old[1] ^ old[2] ^ old[0];
    s[2] = old[2] ^ old[0] ^ (old[1] << 17);
    s[3] = (old[3] ^ old[1]) << 45 | (old[3] ^ old[1]) >> 19;
    return result;
}

START_TEST(stream_from_1_2_3_4_gives_the_published_words)
{
    static const uint64_t expected[] = {
        41943041u,
        58720359u,
        UINT64_C(3588806011781223),
        UINT64_C(3591011842654386),
        UINT64_C(9228616714210784205),
        UINT64_C(9973669472204895162),
        UINT64_C(14011001112246962877),
        UINT64_C(12406186145184390807),
        UINT64_C(15849039046786891736),
        UINT64_C(10450023813501588000),
    };
    struct stream stream = {{1, 2, 3, 4}};

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert_uint_eq(stream_bits(&stream), expected[i]);
    }
}
END_TEST

START_TEST(stream_agrees_with_the_definition_for_many_states)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct stream stream;
        uint64_t s[4];

        stream_init(&stream, seed, 3, "definition");
        memcpy(s, stream.s, sizeof s);
        for (int i = 0; i < 1000; i++) {
            require(stream_bits(&stream) == reference_next(s));
        }
    }
}
END_TEST

/* Seeds are part of every stored result: a change here changes all of them. */
START_TEST(stream_seeding_stays_what_it_is)
{
    static const struct {
        uint64_t seed;
        uint32_t replication;
        const char *name;
        uint64_t first;
    } row[] = {
        {0, 0, "", UINT64_C(13455478169099370058)},
        {1, 0, "workload.gap", UINT64_C(9772685996103285210)},
        {1, 1, "workload.gap", UINT64_C(5729761822227329202)},
        {UINT64_MAX, UINT32_MAX, "12345678", UINT64_C(2618966812451053308)},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct stream stream;

        stream_init(&stream, row[i].seed, row[i].replication, row[i].name);
        ck_assert_uint_eq(stream_bits(&stream), row[i].first);
    }
}
END_TEST

START_TEST(stream_of_the_same_seed_replication_and_name_is_the_same)
{
    char name[] = "backend.jitter";
    struct stream a, b;

    memset(&a, 0x5a, sizeof a);
    memset(&b, 0, sizeof b);
    stream_init(&a, 77, 5, "backend.jitter");
    stream_init(&b, 77, 5, name);
    ck_assert_mem_eq(&a, &b, sizeof a);
}
END_TEST

static const char *const names[] = {
    "",         "a",         "b",          "aa",         "ab",         "ba",
    "1234567",  "12345678",  "123456789",  "tx.size",    "tx.sizf",    "tx.gap",
    "rx.gap",   "guest.gap", "guest.gap ", "workload.0", "workload.1", "workload.10",
    "workload", "Workload",  "dim.jitter", "dim.jittes", "vhost.wake", "vhost.wakf",
};

#define NAMES ((uint32_t)(sizeof names / sizeof names[0]))

static int compare_word(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

START_TEST(stream_states_of_all_other_seeds_replications_and_names_differ)
{
    uint32_t n = 0;
    uint64_t *first = calloc(NAMES * 64 * 64, sizeof *first);

    for (uint32_t name = 0; name < NAMES; name++) {
        for (uint32_t replication = 0; replication < 64; replication++) {
            for (uint64_t seed = 0; seed < 64; seed++) {
                struct stream stream;

                stream_init(&stream, seed, replication, names[name]);
                first[n++] = stream_bits(&stream);
            }
        }
    }
    qsort(first, n, sizeof *first, compare_word);
    for (uint32_t i = 1; i < n; i++) {
        require(first[i] != first[i - 1]);
    }
    free(first);
}
END_TEST

#define DRAWS 20000

static void check_uncorrelated(const double *a, const double *b, uint32_t pairs)
{
    double r = gsl_stats_correlation(a, 1, b, 1, DRAWS);
    double limit = gsl_cdf_ugaussian_Qinv(SIGNIFICANCE / 2 / pairs) / sqrt(DRAWS);

    ck_assert_msg(fabs(r) < limit, "correlation %g, limit %g", r, limit);
}

START_TEST(streams_of_different_names_are_uncorrelated)
{
    double *x = calloc((size_t)NAMES * DRAWS, sizeof *x);

    for (uint32_t name = 0; name < NAMES; name++) {
        struct stream stream;

        stream_init(&stream, 1, 0, names[name]);
        for (uint32_t i = 0; i < DRAWS; i++) {
            x[name * DRAWS + i] = stream_uniform(&stream);
        }
    }
    for (uint32_t a = 0; a < NAMES; a++) {
        for (uint32_t b = 0; b < a; b++) {
            check_uncorrelated(&x[a * DRAWS], &x[b * DRAWS], NAMES * (NAMES - 1) / 2);
        }
    }
    free(x);
}
END_TEST

START_TEST(streams_of_neighbouring_seeds_and_replications_are_uncorrelated)
{
    double *x = calloc((size_t)24 * DRAWS, sizeof *x);

    for (uint32_t k = 0; k < 24; k++) {
        struct stream stream;

        stream_init(&stream, k < 12 ? k : 1, k < 12 ? 0 : k, "workload.gap");
        for (uint32_t i = 0; i < DRAWS; i++) {
            x[k * DRAWS + i] = stream_uniform(&stream);
        }
    }
    for (uint32_t a = 0; a < 24; a++) {
        for (uint32_t b = 0; b < a; b++) {
            check_uncorrelated(&x[a * DRAWS], &x[b * DRAWS], 24 * 23 / 2);
        }
    }
    free(x);
}
END_TEST

static double uniform_cdf(double x)
{
    return x;
}

START_TEST(stream_uniform_is_uniform_and_below_one)
{
    struct stream stream;
    uint32_t n = 500000;
    double *x = calloc(n, sizeof *x);

    stream_init(&stream, 2, 0, "uniform");
    for (uint32_t i = 0; i < n; i++) {
        x[i] = stream_uniform(&stream);
        require(x[i] >= 0 && x[i] < 1);
    }
    ck_assert(fabs(gsl_stats_lag1_autocorrelation(x, 1, n)) * sqrt(n) < STANDARD_ERRORS);
    check_law(x, n, uniform_cdf);
    free(x);
}
END_TEST

START_TEST(stream_bits_are_balanced_byte_by_byte)
{
    static uint64_t count[8][256];
    struct stream stream;

    stream_init(&stream, 3, 0, "bytes");
    for (int i = 0; i < 500000; i++) {
        uint64_t bits = stream_bits(&stream);

        for (int byte = 0; byte < 8; byte++) {
            count[byte][(bits >> (8 * byte)) & 255]++;
        }
    }
    for (int byte = 0; byte < 8; byte++) {
        check_shares(count[byte], NULL, 256);
    }
}
END_TEST

START_TEST(stream_below_is_uniform)
{
    static const uint32_t range[] = {2, 3, 7, 10, 64, 1000};
    struct stream stream;

    stream_init(&stream, 4, 0, "below");
    for (size_t k = 0; k < sizeof range / sizeof range[0]; k++) {
        uint64_t count[1000] = {0};

        for (int i = 0; i < 200000; i++) {
            uint64_t value = stream_below(&stream, range[k]);

            require(value < range[k]);
            count[value]++;
        }
        check_shares(count, NULL, range[k]);
    }
}
END_TEST

/* Without the refusals, values of this range would come once or twice by their remainder of 3. */
START_TEST(stream_below_is_unbiased_where_a_plain_product_is_not)
{
    uint64_t n = UINT64_C(3) << 62;
    uint64_t remainder[3] = {0}, third[3] = {0};
    struct stream stream;

    stream_init(&stream, 5, 0, "below");
    for (int i = 0; i < 300000; i++) {
        uint64_t value = stream_below(&stream, n);

        require(value < n);
        remainder[value % 3]++;
        third[value >> 62]++;
    }
    check_shares(remainder, NULL, 3);
    check_shares(third, NULL, 3);
}
END_TEST

START_TEST(stream_below_takes_the_ends_of_the_range)
{
    struct stream stream;

    stream_init(&stream, 6, 0, "below");
    for (int i = 0; i < 1000; i++) {
        ck_assert_uint_eq(stream_below(&stream, 1), 0);
        ck_assert_uint_lt(stream_below(&stream, UINT64_MAX), UINT64_MAX);
    }
}
END_TEST

START_TEST(stream_shell_for_gsl_draws_from_and_advances_the_stream)
{
    struct stream stream, twin;
    gsl_rng *shell;

    stream_init(&stream, 7, 0, "shell");
    twin = stream;
    shell = stream_gsl(&stream);
    ck_assert_mem_eq(&stream, &twin, sizeof stream);
    ck_assert_uint_eq(gsl_rng_max(shell), UINT64_MAX);
    ck_assert_uint_eq(gsl_rng_min(shell), 0);
    for (int i = 0; i < 100; i++) {
        ck_assert_uint_eq(gsl_rng_get(shell), stream_bits(&twin));
        ck_assert_double_eq(gsl_rng_uniform(shell), stream_uniform(&twin));
    }
    ck_assert_mem_eq(&stream, &twin, sizeof stream);
    gsl_rng_set(shell, 9);
    stream_init(&twin, 9, 0, "");
    ck_assert_mem_eq(&stream, &twin, sizeof stream);
    gsl_rng_free(shell);
}
END_TEST

static double gamma_cdf(double x)
{
    return gsl_cdf_gamma_P(x, 2.5, 1.5);
}

START_TEST(stream_shell_gives_gsl_its_rare_laws)
{
    struct stream stream;
    gsl_rng *shell;
    uint32_t n = 100000;
    double *x = calloc(n, sizeof *x);
    uint64_t count[6] = {0};

    stream_init(&stream, 8, 0, "shell");
    shell = stream_gsl(&stream);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = gsl_ran_gamma(shell, 2.5, 1.5);
        count[gsl_rng_uniform_int(shell, 6)]++;
    }
    check_law(x, n, gamma_cdf);
    check_shares(count, NULL, 6);
    gsl_rng_free(shell);
    free(x);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        stream_from_1_2_3_4_gives_the_published_words,
        stream_agrees_with_the_definition_for_many_states,
        stream_seeding_stays_what_it_is,
        stream_of_the_same_seed_replication_and_name_is_the_same,
        stream_states_of_all_other_seeds_replications_and_names_differ,
        streams_of_different_names_are_uncorrelated,
        streams_of_neighbouring_seeds_and_replications_are_uncorrelated,
        stream_uniform_is_uniform_and_below_one,
        stream_bits_are_balanced_byte_by_byte,
        stream_below_is_uniform,
        stream_below_is_unbiased_where_a_plain_product_is_not,
        stream_below_takes_the_ends_of_the_range,
        stream_shell_for_gsl_draws_from_and_advances_the_stream,
        stream_shell_gives_gsl_its_rare_laws,
        NULL,
    };

    return suite_run("stream", cases);
}
