/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open queues with Poisson arrivals against their closed forms: M/M/1, M/D/1 and M/G/1 by
 * Pollaczek and Khinchine (second moment of the wait: Takacs 1962), M/M/1/K, and two stations in a
 * row (Burke 1956). Service has a mean of 1 us.
 */
#include <string.h>

#include "tests/theory/station.h"

#define REPLICATIONS 24
#define SERVICE      SIM_US

/* A service law and its second and third moment for a mean of 1. */
struct service {
    sim_time (*draw)(struct times *times);
    double square, cube;
};

#define SIGMA 0.8

static struct dist two_points(void)
{
    struct dist dist = {.kind = DIST_LIST, .count = 2};

    dist.bin[0] = (struct dist_bin){SERVICE / 2, SERVICE / 2, 0.9};
    dist.bin[1] = (struct dist_bin){11 * SERVICE / 2, 11 * SERVICE / 2, 0.1};
    return dist;
}

struct open {
    struct sim sim;
    struct source source;
    struct station station, second;
};

static struct open *open_new(const struct service *service, double load, uint32_t capacity,
                             uint32_t replication, enum sim_engine engine, enum event_set_kind kind)
{
    struct open *q = calloc(1, sizeof *q);
    struct error error = {0};
    struct dist dist = two_points();

    sim_init(&q->sim, engine, kind);
    times_init(&q->source.gap, times_exponential, llround((double)SERVICE / load), replication,
               "gap");
    times_init(&q->station.service, service->draw, SERVICE, replication, "service");
    q->station.service.sigma = SIGMA;
    ck_assert(dist_sampler_init(&q->station.service.points, &dist, &error));
    source_init(&q->source, &q->sim, &q->station);
    station_init(&q->station, &q->sim, capacity);
    return q;
}

static void open_free(struct open *q)
{
    times_fini(&q->source.gap);
    times_fini(&q->station.service);
    times_fini(&q->second.service);
    free(q);
}

/* A window after a warm-up of many relaxation times, 1/(1 - sqrt(load))^2 services. */
static void open_run(struct open *q, sim_time warmup, sim_time window)
{
    sim_run(&q->sim, warmup);
    station_restart(&q->station, warmup);
    station_restart(&q->second, warmup);
    sim_run(&q->sim, warmup + window);
    station_check(&q->station, warmup + window);
    station_check(&q->second, warmup + window);
}

struct seen {
    double inside[REPLICATIONS], busy[REPLICATIONS], wait[REPLICATIONS], square[REPLICATIONS];
    double at_once[REPLICATIONS], loss[REPLICATIONS], second[REPLICATIONS];
};

static void look(struct seen *seen, uint32_t r, const struct open *q, sim_time now)
{
    const struct station *s = &q->station;
    double wait = tally_mean(&s->wait) / (double)SERVICE;

    seen->inside[r] = level_mean(&s->inside, now);
    seen->busy[r] = level_mean(&s->busy, now);
    seen->wait[r] = wait;
    seen->square[r] =
        s->wait.m2 / (double)s->wait.count / ((double)SERVICE * (double)SERVICE) + wait * wait;
    seen->at_once[r] = (double)s->at_once / (double)s->wait.count;
    seen->loss[r] = (double)s->lost / (double)s->came;
    seen->second[r] = level_mean(&q->second.inside, now);
}

static void check_single_server(const struct service *service)
{
    static const double loads[] = {0.3, 0.6, 0.9};
    static const int64_t windows[] = {80000, 100000, 250000}; /* services */

    for (int k = 0; k < 3; k++) {
        double load = loads[k];
        double wait = load * service->square / (2 * (1 - load));
        double square = 2 * wait * wait + load * service->cube / (3 * (1 - load));
        struct seen seen;

        for (uint32_t r = 0; r < REPLICATIONS; r++) {
            struct open *q = open_new(service, load, 0, r, SIM_FAST, EVENT_SET_AUTO);
            sim_time warmup = 10000 * SERVICE, window = windows[k] * SERVICE;

            open_run(q, warmup, window);
            look(&seen, r, q, warmup + window);
            open_free(q);
        }
        check_theory("busy share", load, seen.busy, REPLICATIONS, load);
        check_theory("served at once", load, seen.at_once, REPLICATIONS, 1 - load);
        check_theory("wait", load, seen.wait, REPLICATIONS, wait);
        check_theory("inside", load, seen.inside, REPLICATIONS, load + load * wait);
        if (load < 0.9) { /* beyond, no short run gives a useful band */
            check_theory("square of the wait", load, seen.square, REPLICATIONS, square);
        }
    }
}

START_TEST(theory_of_the_exponential_server_holds)
{
    struct service exponential = {times_exponential, 2, 6};

    check_single_server(&exponential);
}
END_TEST

START_TEST(theory_of_the_constant_server_holds)
{
    struct service constant = {times_constant, 1, 1};

    check_single_server(&constant);
}
END_TEST

START_TEST(theory_of_the_server_with_two_service_times_holds)
{
    struct service points = {times_points, 0.9 * 0.25 + 0.1 * 5.5 * 5.5,
                             0.9 * 0.125 + 0.1 * 5.5 * 5.5 * 5.5};

    check_single_server(&points);
}
END_TEST

START_TEST(theory_of_the_lognormal_server_holds)
{
    struct service lognormal = {times_lognormal, exp(SIGMA * SIGMA), exp(3 * SIGMA * SIGMA)};

    check_single_server(&lognormal);
}
END_TEST

/* M/M/1/K: n inside with probability load^n over the sum, for loads above 1 as well. */
static void check_finite_room(double load, uint32_t room)
{
    struct service exponential = {times_exponential, 2, 6};
    double sum = 0, inside = 0, full = pow(load, room);
    struct seen seen;

    for (uint32_t n = 0; n <= room; n++) {
        sum += pow(load, n);
        inside += n * pow(load, n);
    }
    for (uint32_t r = 0; r < REPLICATIONS; r++) {
        struct open *q = open_new(&exponential, load, room, r, SIM_FAST, EVENT_SET_AUTO);

        open_run(q, 5000 * SERVICE, 80000 * SERVICE);
        ck_assert_int_le(q->station.inside.most, room);
        look(&seen, r, q, 85000 * SERVICE);
        open_free(q);
    }
    check_theory("loss", load, seen.loss, REPLICATIONS, full / sum);
    check_theory("inside", load, seen.inside, REPLICATIONS, inside / sum);
    check_theory("busy share", load, seen.busy, REPLICATIONS, 1 - 1 / sum);
}

START_TEST(theory_of_finite_room_holds)
{
    check_finite_room(0.6, 1);
    check_finite_room(0.6, 4);
    check_finite_room(0.9, 10);
    check_finite_room(1.0, 10);
    check_finite_room(1.5, 5);
}
END_TEST

/* Burke: what leaves M/M/1 is Poisson again, so the second station is M/M/1 too. */
START_TEST(theory_of_two_stations_in_a_row_holds)
{
    struct service exponential = {times_exponential, 2, 6};
    double load = 0.7, second = 0.5;
    struct seen seen;

    for (uint32_t r = 0; r < REPLICATIONS; r++) {
        struct open *q = open_new(&exponential, load, 0, r, SIM_FAST, EVENT_SET_AUTO);
        sim_time mean = llround((double)SERVICE * second / load);

        times_init(&q->second.service, times_exponential, mean, r, "second");
        station_init(&q->second, &q->sim, 0);
        q->station.next = &q->second;
        open_run(q, 5000 * SERVICE, 80000 * SERVICE);
        look(&seen, r, q, 85000 * SERVICE);
        open_free(q);
    }
    check_theory("inside the first", load, seen.inside, REPLICATIONS, load / (1 - load));
    check_theory("inside the second", second, seen.second, REPLICATIONS, second / (1 - second));
}
END_TEST

/* Whatever runs it, a queue's history is the same to the picosecond. */
START_TEST(theory_tests_do_not_depend_on_how_the_engine_runs)
{
    struct service lognormal = {times_lognormal, 0, 0};
    struct open *first = open_new(&lognormal, 0.8, 20, 1, SIM_PLAIN, EVENT_SET_LINEAR);

    open_run(first, 1000 * SERVICE, 20000 * SERVICE);
    for (int way = 1; way < 4; way++) {
        struct open *other = open_new(&lognormal, 0.8, 20, 1, way & 1 ? SIM_FAST : SIM_PLAIN,
                                      way & 2 ? EVENT_SET_HEAP : EVENT_SET_LINEAR);

        open_run(other, 1000 * SERVICE, 20000 * SERVICE);
        ck_assert_uint_eq(other->sim.steps, first->sim.steps);
        ck_assert_int_eq(other->sim.now, first->sim.now);
        ck_assert_uint_eq(other->station.lost, first->station.lost);
        ck_assert(other->station.stays == first->station.stays);
        ck_assert_mem_eq(&other->station.inside, &first->station.inside, sizeof(struct level));
        open_free(other);
    }
    open_free(first);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        theory_of_the_exponential_server_holds,
        theory_of_the_constant_server_holds,
        theory_of_the_server_with_two_service_times_holds,
        theory_of_the_lognormal_server_holds,
        theory_of_finite_room_holds,
        theory_of_two_stations_in_a_row_holds,
        theory_tests_do_not_depend_on_how_the_engine_runs,
        NULL,
    };

    return suite_run("open_queue", cases);
}
