/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/law.h"

#include <gsl/gsl_randist.h>
#include <string.h>

#include "tests/bands.h"
#include "tests/suite.h"

/* The tables once more, as law.c includes them. */
struct ziggurat {
    double r;
    uint64_t inside[256];
    double width[256];
    double density[257];
};

#include "sim/engine/law_ziggurat.inc"

static void check_tables(const struct ziggurat *z, double (*density)(double), double tail)
{
    double area = z->r * density(z->r) + tail;

    ck_assert_double_eq(z->density[256], 1);
    ck_assert_double_eq_tol(z->width[0] * 0x1p53 * density(z->r), area, 1e-14 * area);
    for (int i = 0; i < 256; i++) {
        double left = i < 255 ? z->width[i + 1] * 0x1p53 : 0;
        double right = z->width[i] * 0x1p53;

        ck_assert_double_le_tol(fabs((double)z->inside[i] * z->width[i] - left), 0, 1e-15 * right);
        if (i > 0) {
            ck_assert_double_eq_tol(z->density[i], density(right), 1e-14);
            ck_assert_double_eq_tol(right * (z->density[i + 1] - z->density[i]), area,
                                    1e-13 * area);
        }
    }
}

static double exponential_density(double x)
{
    return gsl_ran_exponential_pdf(x, 1);
}

static double normal_shape(double x)
{
    return gsl_ran_ugaussian_pdf(x) / gsl_ran_ugaussian_pdf(0);
}

START_TEST(law_tables_cut_the_density_into_equal_areas)
{
    check_tables(&ziggurat_exponential, exponential_density,
                 gsl_cdf_exponential_Q(ziggurat_exponential.r, 1));
    check_tables(&ziggurat_normal, normal_shape,
                 gsl_cdf_ugaussian_Q(ziggurat_normal.r) / gsl_ran_ugaussian_pdf(0));
}
END_TEST

static double exponential_cdf(double x)
{
    return gsl_cdf_exponential_P(x, 1);
}

static double normal_cdf(double x)
{
    return gsl_cdf_ugaussian_P(x);
}

#define DRAWS 1000000
#define CELLS 500

/* The whole law by distance, and CELLS equally likely cells by chi-square, which sees a wrong strip
 * where the distance does not. */
static void check_draws(double (*draw)(struct stream *), double (*cdf)(double), const char *name)
{
    uint64_t count[CELLS] = {0};
    double *x = calloc(DRAWS, sizeof *x);
    struct stream stream;

    stream_init(&stream, 11, 0, name);
    for (uint32_t i = 0; i < DRAWS; i++) {
        x[i] = draw(&stream);
        count[(uint32_t)fmin(cdf(x[i]) * CELLS, CELLS - 1)]++;
    }
    check_shares(count, NULL, CELLS);
    check_law(x, DRAWS, cdf);
    free(x);
}

START_TEST(law_exponential_follows_its_distribution)
{
    check_draws(law_exponential, exponential_cdf, "exponential");
}
END_TEST

START_TEST(law_normal_follows_its_distribution)
{
    check_draws(law_normal, normal_cdf, "normal");
}
END_TEST

/* moment[k] and variance[k]: of the (k+1)-th power. */
static void check_moments(double (*draw)(struct stream *), const double *moment,
                          const double *variance)
{
    static const char *const power[] = {"x", "x^2", "x^3", "x^4"};
    double sum[4] = {0};
    struct stream stream;

    stream_init(&stream, 12, 0, "moments");
    for (uint32_t i = 0; i < DRAWS; i++) {
        double x = draw(&stream), p = 1;

        for (int k = 0; k < 4; k++) {
            p *= x;
            sum[k] += p;
        }
    }
    for (int k = 0; k < 4; k++) {
        check_mean(power[k], sum[k] / DRAWS, moment[k], variance[k], DRAWS);
    }
}

START_TEST(law_moments_are_those_of_the_law)
{
    static const double exponential[] = {1, 2, 6, 24};
    static const double exponential_variance[] = {1, 24 - 4, 720 - 36, 40320 - 576};
    static const double normal[] = {0, 1, 0, 3};
    static const double normal_variance[] = {1, 3 - 1, 15, 105 - 9};

    check_moments(law_exponential, exponential, exponential_variance);
    check_moments(law_normal, normal, normal_variance);
}
END_TEST

static double exponential_tail_cdf(double x)
{
    return gsl_cdf_exponential_P(x - ziggurat_exponential.r, 1);
}

static double normal_tail_cdf(double x)
{
    double r = ziggurat_normal.r;

    return 1 - gsl_cdf_ugaussian_Q(x) / gsl_cdf_ugaussian_Q(r);
}

/* What lies beyond r comes by another way than the strips: its share and its law. */
static void check_tail(double (*draw)(struct stream *), double r, double share,
                       double (*cdf)(double))
{
    uint32_t n = 4000000, beyond = 0;
    double *x = calloc(n, sizeof *x);
    struct stream stream;

    stream_init(&stream, 13, 0, "tail");
    for (uint32_t i = 0; i < n; i++) {
        double value = fabs(draw(&stream));

        if (value > r) {
            x[beyond++] = value;
        }
    }
    check_mean("share of the tail", (double)beyond / n, share, share * (1 - share), n);
    check_law(x, beyond, cdf);
    free(x);
}

START_TEST(law_tails_follow_their_distribution)
{
    double r = ziggurat_exponential.r;

    check_tail(law_exponential, r, gsl_cdf_exponential_Q(r, 1), exponential_tail_cdf);
    r = ziggurat_normal.r;
    check_tail(law_normal, r, 2 * gsl_cdf_ugaussian_Q(r), normal_tail_cdf);
}
END_TEST

/* The same bits for any compiler and level: whole numbers, as the models use them. */
START_TEST(law_draws_stay_what_they_are)
{
    uint64_t hash = 0;
    struct stream stream;

    stream_init(&stream, 14, 0, "fixed");
    for (int i = 0; i < 1000000; i++) {
        hash = hash * UINT64_C(6364136223846793005) +
               (uint64_t)law_exponential_time(&stream, 10 * SIM_US);
        hash = hash * UINT64_C(6364136223846793005) +
               (uint64_t)law_jitter(&stream, 300 * SIM_NS, 0.05);
    }
    ck_assert_uint_eq(hash, UINT64_C(2219860756461269985));
}
END_TEST

START_TEST(law_exponential_time_has_its_mean_and_stays_inside_time)
{
    struct stream stream;
    double sum = 0;

    stream_init(&stream, 15, 0, "time");
    for (int i = 0; i < 200000; i++) {
        sim_time t = law_exponential_time(&stream, 1000);

        require(t >= 0);
        sum += (double)t;
    }
    check_mean("mean time", sum / 200000, 1000, 1000.0 * 1000.0, 200000);
    for (int i = 0; i < 1000; i++) {
        sim_time t = law_exponential_time(&stream, SIM_TIME_LIMIT);

        ck_assert(t >= 0 && t <= SIM_TIME_LIMIT);
    }
    ck_assert_int_eq(law_exponential_time(&stream, 0), 0);
}
END_TEST

START_TEST(law_jitter_keeps_the_mean_and_has_the_spread_of_a_normal_held_at_three)
{
    double within = gsl_cdf_ugaussian_P(3) - gsl_cdf_ugaussian_P(-3);
    double variance = within - 6 * gsl_ran_ugaussian_pdf(3) + 9 * (1 - within);
    double cv[] = {0.05, 0.33}, base = 300000;
    struct stream stream;

    stream_init(&stream, 16, 0, "jitter");
    for (int k = 0; k < 2; k++) {
        double sum = 0, squares = 0;

        for (int i = 0; i < 400000; i++) {
            double z = ((double)law_jitter(&stream, 300000, cv[k]) - base) / (cv[k] * base);

            require(fabs(z) <= 3.0001);
            sum += z;
            squares += z * z;
        }
        check_mean("mean", sum / 400000, 0, variance, 400000);
        /* The fourth moment is below 3, the normal's. */
        check_mean("variance", squares / 400000, variance, 3 - variance * variance, 400000);
    }
}
END_TEST

START_TEST(law_jitter_is_a_normal_held_at_three_to_the_last_bit)
{
    struct stream stream, other;

    stream_init(&stream, 18, 0, "jitter");
    stream_init(&other, 18, 0, "jitter");
    for (int i = 0; i < 2000000; i++) {
        sim_time base = 1000 + 977 * (i % 1000);
        double z = law_normal(&other);
        double spread = (double)base * (0.05 * (z < -3 ? -3 : z > 3 ? 3 : z));

        require(law_jitter(&stream, base, 0.05) == base + (sim_time)(spread + copysign(0.5, spread)));
    }
}
END_TEST

START_TEST(law_jitter_draws_one_normal_a_call_and_none_without_spread)
{
    struct stream stream, twin;

    stream_init(&stream, 17, 0, "jitter");
    twin = stream;
    ck_assert_int_eq(law_jitter(&stream, 12345, 0), 12345);
    ck_assert_mem_eq(&stream, &twin, sizeof twin);
    for (int i = 0; i < 10000; i++) {
        sim_time t = law_jitter(&stream, 100000, 0.1);
        double z = fmax(-3, fmin(3, law_normal(&twin)));

        require(memcmp(&stream, &twin, sizeof twin) == 0);
        require(fabs((double)t - 100000 * (1 + 0.1 * z)) <= 0.5001);
        require(law_jitter(&stream, 100, 0.33) > 0);
        law_normal(&twin);
    }
}
END_TEST

static void check_alias(const double *weights, uint32_t n, double total)
{
    double *share = calloc(n, sizeof *share), *made = calloc(n, sizeof *made);
    uint64_t *count = calloc(n, sizeof *count);
    struct error error = {0};
    struct law_alias law;
    struct stream stream;

    ck_assert(law_alias_init(&law, weights, n, &error));
    for (uint32_t i = 0; i < n; i++) {
        share[i] = weights[i] / total;
        ck_assert(law.probability[i] >= 0 && law.probability[i] <= 1);
        made[i] += law.probability[i] / n;
        made[law.alias[i]] += (1 - law.probability[i]) / n;
    }
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_double_eq_tol(made[i], share[i], 1e-14);
    }
    stream_init(&stream, 18, n, "alias");
    for (int i = 0; i < 400000; i++) {
        uint32_t drawn = law_alias_draw(&law, &stream);

        require(drawn < n);
        count[drawn]++;
    }
    if (n > 1) {
        check_shares(count, share, n);
    }
    law_alias_fini(&law);
    free(share);
    free(made);
    free(count);
}

START_TEST(law_alias_gives_each_index_its_weight)
{
    static const uint32_t sizes[] = {1, 2, 3, 7, 64, 300};
    struct stream stream;

    stream_init(&stream, 19, 0, "weights");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        double weights[300], total = 0;

        for (uint32_t i = 0; i < sizes[k]; i++) {
            weights[i] = i % 5 == 3 ? 0 : 0.1 + stream_uniform(&stream);
            total += weights[i];
        }
        check_alias(weights, sizes[k], total);
    }
}
END_TEST

START_TEST(law_alias_takes_extreme_weights)
{
    struct error error = {0};
    double huge[] = {1e308, 0, 1e308, 1e308, 0};
    double uneven[] = {1e-300, 1, 0, 1e-300};
    struct law_alias law;
    struct stream stream;
    uint64_t count[5] = {0};
    double share[] = {1.0 / 3, 0, 1.0 / 3, 1.0 / 3, 0};

    stream_init(&stream, 20, 0, "extreme");
    ck_assert(law_alias_init(&law, huge, 5, &error));
    for (int i = 0; i < 100000; i++) {
        count[law_alias_draw(&law, &stream)]++;
    }
    check_shares(count, share, 5);
    law_alias_fini(&law);
    ck_assert(law_alias_init(&law, uneven, 4, &error));
    for (int i = 0; i < 100000; i++) {
        require(law_alias_draw(&law, &stream) == 1);
    }
    law_alias_fini(&law);
}
END_TEST

/* Rounding leaves entries over in some of these tables, without weight in a few. */
START_TEST(law_alias_never_leads_to_an_index_without_weight)
{
    struct error error = {0};
    struct stream stream;

    stream_init(&stream, 22, 0, "zeros");
    for (int trial = 0; trial < 20000; trial++) {
        uint32_t n = 1 + (uint32_t)stream_below(&stream, 40);
        double weights[41];
        struct law_alias law;

        for (uint32_t i = 0; i < n; i++) {
            weights[i] = stream_below(&stream, 2) ? stream_uniform(&stream) : 0;
        }
        weights[n] = 0.1;
        ck_assert(law_alias_init(&law, weights, n + 1, &error));
        for (uint32_t i = 0; i <= n; i++) {
            require(weights[i] > 0 || law.probability[i] == 0);
            require(law.probability[i] == 1 || weights[law.alias[i]] > 0);
        }
        law_alias_fini(&law);
    }
}
END_TEST

START_TEST(law_alias_takes_one_word_a_draw)
{
    double weights[] = {1, 2, 3};
    struct error error = {0};
    struct law_alias law;
    struct stream stream, twin;

    stream_init(&stream, 21, 0, "word");
    twin = stream;
    ck_assert(law_alias_init(&law, weights, 3, &error));
    for (int i = 0; i < 100; i++) {
        law_alias_draw(&law, &stream);
        stream_bits(&twin);
        ck_assert_mem_eq(&stream, &twin, sizeof twin);
    }
    law_alias_fini(&law);
}
END_TEST

static void check_refused(const double *weights, uint32_t n, const char *text)
{
    struct error error = {0};
    struct law_alias law;

    ck_assert(!law_alias_init(&law, weights, n, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.text, text);
    law_alias_fini(&law);
}

START_TEST(law_alias_refuses_weights_that_are_none)
{
    double zeros[] = {0, 0}, negative[] = {1, -2}, nan[] = {NAN, 1}, infinite[] = {1, INFINITY};

    check_refused(zeros, 0, "no weight is above 0");
    check_refused(zeros, 2, "no weight is above 0");
    check_refused(negative, 2, "weight 1 is -2, must be finite and not below 0");
    check_refused(nan, 2, "weight 0 is nan, must be finite and not below 0");
    check_refused(infinite, 2, "weight 1 is inf, must be finite and not below 0");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        law_tables_cut_the_density_into_equal_areas,
        law_exponential_follows_its_distribution,
        law_normal_follows_its_distribution,
        law_moments_are_those_of_the_law,
        law_tails_follow_their_distribution,
        law_draws_stay_what_they_are,
        law_exponential_time_has_its_mean_and_stays_inside_time,
        law_jitter_keeps_the_mean_and_has_the_spread_of_a_normal_held_at_three,
        law_jitter_is_a_normal_held_at_three_to_the_last_bit,
        law_jitter_draws_one_normal_a_call_and_none_without_spread,
        law_alias_gives_each_index_its_weight,
        law_alias_takes_extreme_weights,
        law_alias_never_leads_to_an_index_without_weight,
        law_alias_takes_one_word_a_draw,
        law_alias_refuses_weights_that_are_none,
        NULL,
    };

    return suite_run("law", cases);
}
