/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ring with notifications against its closed forms (Lettieri, Maffione, Rizzo, "A Study of I/O
 * Performance of Virtual Machines", 2017): mean time a packet in the five regimes, and bounds of
 * the latency. The formulas are of whole cycles; the measured window cuts a cycle at each end, so
 * it may be off by what a cycle holds besides its packets' own pace, spread over the window:
 * notifications, start-ups, and the packets or slots that are waited for.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "tests/models/prodcons.h"
#include "tests/suite.h"

enum regime { FAST_CONSUMER, SLOW_CONSUMER, FAST_PRODUCER, SLOW_PRODUCER, SHORT_RING, REGIMES };

static const char *const regime_names[] = {"FC", "SC", "FP", "SP", "SS"};

/* Parameters as the theory writes them, in ns. */
struct theory {
    int64_t L, Kp, Kc, Wp, Wc, Np, Nc, Sp, Sc;
};

static struct prodcons *p;
static uint64_t state = 88172645463325252u;

static int64_t draw(int64_t least, int64_t most)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return least + (int64_t)((state >> 11) % (uint64_t)(most - least + 1));
}

static struct theory draw_theory(void)
{
    struct theory t = {.L = INT64_C(1) << draw(1, 8)};

    t.Kp = draw(0, 1) == 0 ? 1 : draw(1, t.L / 2);
    t.Kc = draw(0, 1) == 0 ? 1 : draw(1, t.L * 3 / 4);
    t.Wp = draw(50, 500);
    t.Wc = t.Wp + (draw(0, 1) == 0 ? 1 : -1) * draw(1, 49);
    if (draw(0, 1) == 0) {
        t.Wc = draw(50, 500);
        t.Wc += t.Wc == t.Wp;
    }
    t.Np = draw(100, 3000);
    t.Nc = draw(100, 3000);
    t.Sp = draw(500, 12000);
    t.Sc = draw(500, 12000);
    return t;
}

static enum regime regime_of(const struct theory *t)
{
    bool slow_consumer = t->Sc + t->Wc > (t->L - t->Kp) * t->Wp;
    bool slow_producer = t->Sp + t->Wp > (t->L - t->Kc) * t->Wc;

    if (slow_consumer && slow_producer) {
        return SHORT_RING;
    }
    if (t->Wc < t->Wp) {
        return slow_consumer ? SLOW_CONSUMER : FAST_CONSUMER;
    }
    return slow_producer ? SLOW_PRODUCER : FAST_PRODUCER;
}

/* Packets between notifications in the four regimes that have it. */
static int64_t packets_between(const struct theory *t, enum regime regime)
{
    switch (regime) {
    case FAST_CONSUMER:
        return (t->Sc + (t->Kp - 1) * t->Wc) / (t->Wp - t->Wc) + t->Kp;
    case SLOW_CONSUMER:
        return ((t->L - t->Kc) * t->Wc - (t->Sp + t->Wp)) / (t->Wp - t->Wc) + 1;
    case FAST_PRODUCER:
        return (t->Sp + (t->Kc - 1) * t->Wp) / (t->Wc - t->Wp) + t->Kc;
    case SLOW_PRODUCER:
        return ((t->L - t->Kp) * t->Wp - (t->Sc + t->Wc)) / (t->Wc - t->Wp) + 1;
    default:
        return 0;
    }
}

static double ns_per_packet(const struct theory *t, enum regime regime)
{
    int64_t m = packets_between(t, regime), both = t->Np + t->Nc + t->Sp + t->Sc;

    switch (regime) {
    case FAST_CONSUMER:
        return (double)t->Wp + (double)t->Np / (double)m;
    case SLOW_CONSUMER:
        return (double)(both + t->Kc * t->Wc + (m + t->Kp) * t->Wp) / (double)(t->L + m);
    case FAST_PRODUCER:
        return (double)t->Wc + (double)t->Nc / (double)m;
    case SLOW_PRODUCER:
        return (double)(both + t->Kp * t->Wp + (m + t->Kc) * t->Wc) / (double)(t->L + m);
    default:
        return (double)(both + t->Kp * t->Wp + t->Kc * t->Wc) / (double)t->L;
    }
}

static struct prodcons_result run(const struct theory *t, enum virtqueue_layout layout,
                                  bool checked)
{
    struct prodcons_params params = {
        .ring = (uint32_t)t->L,
        .kp = (uint32_t)t->Kp,
        .kc = (uint32_t)t->Kc,
        .wp = t->Wp * SIM_NS,
        .wc = t->Wc * SIM_NS,
        .np = t->Np * SIM_NS,
        .nc = t->Nc * SIM_NS,
        .sp = t->Sp * SIM_NS,
        .sc = t->Sc * SIM_NS,
    };
    struct prodcons_result result;
    struct error error = {.kind = ERROR_NONE};

    ck_assert(prodcons_run(p, &params, layout, checked, &result, &error));
    ck_assert_uint_eq(result.consumed, PRODCONS_PACKETS);
    return result;
}

static void setup(void)
{
    p = malloc(sizeof *p);
    ck_assert_ptr_nonnull(p);
}

static void teardown(void)
{
    free(p);
}

START_TEST(mean_time_is_the_closed_form_of_the_regime)
{
    uint32_t count[REGIMES] = {0};

    for (uint32_t i = 0; i < 600; i++) {
        struct theory t = draw_theory();
        enum regime regime = regime_of(&t);
        struct prodcons_result got =
            run(&t, i % 2 == 0 ? VIRTQUEUE_SPLIT : VIRTQUEUE_PACKED, false);
        double want = ns_per_packet(&t, regime);
        bool whole = regime == SHORT_RING && PRODCONS_PACKETS / 2 % t.L == 0; /* cycles */
        int64_t cut = t.Np + t.Nc + t.Sp + t.Sc + t.Kp * t.Wp + t.Kc * t.Wc;
        double band = whole ? 1e-9 * want : (double)cut / (PRODCONS_PACKETS / 2.0);

        count[regime]++;
        ck_assert_msg(fabs(got.ns_per_packet - want) <= band,
                      "%s, L %d Kp %d Kc %d Wp %d Wc %d Np %d Nc %d Sp %d Sc %d: %f, not %f +- %f",
                      regime_names[regime], (int)t.L, (int)t.Kp, (int)t.Kc, (int)t.Wp, (int)t.Wc,
                      (int)t.Np, (int)t.Nc, (int)t.Sp, (int)t.Sc, got.ns_per_packet, want, band);
    }
    for (int r = 0; r < REGIMES; r++) {
        ck_assert_msg(count[r] >= 10, "%u cases of %s", count[r], regime_names[r]);
    }
}
END_TEST

static int64_t latency_bound(const struct theory *t, enum regime regime)
{
    int64_t m = packets_between(t, regime), first;

    switch (regime) {
    case FAST_CONSUMER:
        return 2 * t->Wp + t->Np * (m == 1 ? 2 : 1) + t->Sc + t->Wc;
    case FAST_PRODUCER:
        return t->Wp + (t->L + 1) * t->Wc + t->Nc * (1 + (t->L - 1) / m);
    default:
        first = t->Sc - (t->L - 2) * t->Wp;
        return (first > t->Wp ? first : t->Wp) + t->Kc * t->Wc + t->Nc + t->Sp + t->Wp + t->Np +
               t->Sc + t->Wc;
    }
}

START_TEST(worst_latency_keeps_its_bound)
{
    uint32_t count[REGIMES] = {0};

    for (uint32_t i = 0; i < 300; i++) {
        struct theory t = draw_theory();
        enum regime regime;
        struct prodcons_result got;

        t.Kp = 1;
        regime = regime_of(&t);
        if (regime == SLOW_CONSUMER || regime == SLOW_PRODUCER) {
            continue;
        }
        got = run(&t, VIRTQUEUE_SPLIT, false);
        count[regime]++;
        ck_assert_msg(got.worst_latency <= latency_bound(&t, regime) * SIM_NS,
                      "%s, L %d Kc %d Wp %d Wc %d Np %d Nc %d Sp %d Sc %d: %f above %d",
                      regime_names[regime], (int)t.L, (int)t.Kc, (int)t.Wp, (int)t.Wc, (int)t.Np,
                      (int)t.Nc, (int)t.Sp, (int)t.Sc, sim_time_ns(got.worst_latency),
                      (int)latency_bound(&t, regime));
    }
    ck_assert_uint_ge(count[FAST_CONSUMER], 15);
    ck_assert_uint_ge(count[FAST_PRODUCER], 15);
    ck_assert_uint_ge(count[SHORT_RING], 15);
}
END_TEST

/* A consumer that nearly keeps the producer's pace never sleeps long; one of half the time sleeps
 * after each burst, and each burst then costs the producer a kick. */
START_TEST(faster_consumer_makes_the_whole_slower)
{
    struct theory t = {.L = 256,
                       .Kp = 1,
                       .Kc = 1,
                       .Wp = 300,
                       .Wc = 295,
                       .Np = 2000,
                       .Nc = 1000,
                       .Sp = 1000,
                       .Sc = 1500};
    double slow = run(&t, VIRTQUEUE_SPLIT, false).ns_per_packet, fast;

    t.Wc = 100;
    fast = run(&t, VIRTQUEUE_SPLIT, false).ns_per_packet;
    ck_assert_double_gt(fast, 1.5 * slow);
}
END_TEST

START_TEST(every_step_keeps_the_invariants)
{
    for (uint32_t i = 0; i < 40; i++) {
        struct theory t = draw_theory();

        run(&t, i % 2 == 0 ? VIRTQUEUE_SPLIT : VIRTQUEUE_PACKED, true);
    }
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = mean_time_is_the_closed_form_of_the_regime},
        {.test = worst_latency_keeps_its_bound},
        {.test = faster_consumer_makes_the_whole_slower},
        {.test = every_step_keeps_the_invariants},
        {0},
    };

    return suite_run_cases("virtqueue_theory", setup, teardown, cases);
}
