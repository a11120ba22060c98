/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/experiment.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "sim/engine/interval.h"
#include "sim/study/experiment_cell.h"
#include "sim/study/replay_end.h"

#define GRACE_S    0.5 /* for running trials after a signal */
#define CELL_BATCH 256 /* configurations registered per transaction */

struct trial {
    /* filled by the main thread before the trial is ready */
    size_t cell;
    struct config config;
    struct run_id id;
    bool used;
    bool held; /* done, and waiting for the replications before it */

    /* filled by the thread that runs it */
    struct run_result *result;
    double wall_s;
    struct error error;
};

/* Indices of trials, first in, first out; never more than there are trials. */
struct fifo {
    uint32_t *index;
    uint32_t head, count;
};

struct work {
    /* set before the threads start */
    struct trial *trial;
    uint32_t trials;
    int wake; /* eventfd: something is done */
    pthread_t *thread;
    uint32_t threads;

    /* under the lock */
    pthread_mutex_t lock;
    pthread_cond_t ready_or_stop;
    struct fifo ready, done;
    uint32_t running;
    bool stop;

    /* of the main thread */
    const struct scenario *scenario;
    struct store *store;
    struct experiment *experiment;
    struct cells cells;
    struct progress progress;
    int signals; /* signalfd; -1 after the first signal */
    double deadline_s;
    struct error *error;
};

static void fifo_put(struct fifo *fifo, uint32_t room, uint32_t index)
{
    fifo->index[(fifo->head + fifo->count++) % room] = index;
}

static uint32_t fifo_take(struct fifo *fifo, uint32_t room)
{
    uint32_t index = fifo->index[fifo->head];

    fifo->head = (fifo->head + 1) % room;
    fifo->count--;
    return index;
}

static void trial_run(struct trial *trial)
{
    double begun_s = progress_clock_s();

    memset(&trial->error, 0, sizeof trial->error);
    if (!datapath_run(&trial->config.datapath, &trial->id, trial->result, &trial->error)) {
        error_set(&trial->error, ERROR_SYSTEM, "", "a run failed");
    }
    trial->wall_s = progress_clock_s() - begun_s;
}

/* A thread: the next trial that is ready, until told to stop. */
static void *thread_main(void *context)
{
    struct work *work = context;

    pthread_mutex_lock(&work->lock);
    for (;;) {
        uint32_t index;
        uint64_t one = 1;

        while (work->ready.count == 0 && !work->stop) {
            pthread_cond_wait(&work->ready_or_stop, &work->lock);
        }
        if (work->stop) {
            break;
        }
        index = fifo_take(&work->ready, work->trials);
        work->running++;
        pthread_mutex_unlock(&work->lock);
        trial_run(&work->trial[index]);
        pthread_mutex_lock(&work->lock);
        fifo_put(&work->done, work->trials, index);
        work->running--;
        if (write(work->wake, &one, sizeof one) < 0) {
            /* the counter is full, so the main thread is awake */
        }
    }
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

uint32_t experiment_threads(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return count < 1 ? 1 : (uint32_t)count;
}

static bool work_init(struct work *work, uint32_t threads)
{
    work->threads = threads;
    work->trials = 2 * threads + 2;
    work->trial = calloc(work->trials, sizeof *work->trial);
    work->ready.index = calloc(work->trials, sizeof *work->ready.index);
    work->done.index = calloc(work->trials, sizeof *work->done.index);
    work->thread = calloc(threads, sizeof *work->thread);
    work->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    work->signals = -1;
    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->ready_or_stop, NULL);
    for (uint32_t i = 0; work->trial && i < work->trials; i++) {
        if (!(work->trial[i].result = run_result_new())) {
            return false;
        }
    }
    return work->trial && work->ready.index && work->done.index && work->thread && work->wake >= 0;
}

static void work_free(struct work *work)
{
    for (uint32_t i = 0; work->trial && i < work->trials; i++) {
        run_result_free(work->trial[i].result);
    }
    free(work->trial);
    free(work->ready.index);
    free(work->done.index);
    free(work->thread);
    if (work->wake >= 0) {
        close(work->wake);
    }
    pthread_mutex_destroy(&work->lock);
    pthread_cond_destroy(&work->ready_or_stop);
    cells_fini(&work->cells);
    free(work);
}

static bool start_threads(struct work *work)
{
    for (uint32_t i = 0; i < work->threads; i++) {
        int code = pthread_create(&work->thread[i], NULL, thread_main, work);

        if (code != 0) {
            work->threads = i;
            return error_set(work->error, ERROR_SYSTEM, "", "cannot start thread %u: %s", i + 1,
                             strerror(code));
        }
    }
    return true;
}

/* Tells the threads to stop. Joins them, unless one is still running a trial and `abandon` allows
 * to leave it: it touches its own memory only, which then stays until the process ends. */
static bool stop_threads(struct work *work, bool abandon)
{
    uint32_t running;

    pthread_mutex_lock(&work->lock);
    work->stop = true;
    running = work->running;
    pthread_cond_broadcast(&work->ready_or_stop);
    pthread_mutex_unlock(&work->lock);
    if (abandon && running > 0) {
        for (uint32_t i = 0; i < work->threads; i++) {
            pthread_detach(work->thread[i]);
        }
        return false;
    }
    for (uint32_t i = 0; i < work->threads; i++) {
        pthread_join(work->thread[i], NULL);
    }
    return true;
}

/* Registers all configurations and counts what is missing. */
static bool register_cells(struct work *work, int64_t scenario_id)
{
    struct experiment *experiment = work->experiment;
    size_t count = experiment->points * experiment->variants;

    for (size_t i = 0; i < count; i++) {
        bool first = i % CELL_BATCH == 0, last = i % CELL_BATCH == CELL_BATCH - 1 || i == count - 1;
        int64_t id;

        if (first && !store_begin(work->store, work->error)) {
            return false;
        }
        id = store_config(work->store, scenario_id, work->scenario, i / experiment->variants,
                          i % experiment->variants, work->error);
        if (id == 0) {
            return false;
        }
        experiment->cell[i].config_id = id;
        if (last && !store_commit(work->store, work->error)) {
            return false;
        }
    }
    return true;
}

/* Fills every free trial with the next run to compute. */
static void fill(struct work *work)
{
    for (uint32_t i = 0; i < work->trials; i++) {
        struct trial *trial = &work->trial[i];
        uint32_t replication;

        if (trial->used) {
            continue;
        }
        if (!cells_next(&work->cells, &trial->cell, &replication)) {
            break;
        }
        scenario_config(work->scenario, trial->cell / work->experiment->variants,
                        trial->cell % work->experiment->variants, &trial->config);
        trial->id = config_run_id(&trial->config, replication);
        trial->used = true;
        pthread_mutex_lock(&work->lock);
        fifo_put(&work->ready, work->trials, i);
        pthread_cond_signal(&work->ready_or_stop);
        pthread_mutex_unlock(&work->lock);
    }
}

/* What is to be done with a trial that is done; false: the store failed. */
static bool settle(struct work *work, struct trial *trial)
{
    enum cells_verdict verdict = cells_judge(&work->cells, trial->cell, trial->id.replication);

    trial->held = verdict == CELLS_HOLD;
    if (verdict == CELLS_HOLD) {
        return true;
    }
    trial->used = false;
    if (verdict == CELLS_DISCARD) {
        return true;
    }
    if (!store_put_run(work->store, work->experiment->cell[trial->cell].config_id, &trial->id,
                       trial->result, trial->wall_s, work->error)) {
        return false;
    }
    work->experiment->computed++;
    progress_done(&work->progress, cells_weight(&work->cells, trial->cell));
    cells_advance(&work->cells, trial->cell);
    return true;
}

/* Settles what is done, and again what was held until nothing changes. */
static bool collect(struct work *work)
{
    bool again = true;

    for (;;) {
        struct trial *trial;

        pthread_mutex_lock(&work->lock);
        if (work->done.count == 0) {
            pthread_mutex_unlock(&work->lock);
            break;
        }
        trial = &work->trial[fifo_take(&work->done, work->trials)];
        pthread_mutex_unlock(&work->lock);
        if (trial->error.kind != ERROR_NONE) {
            *work->error = trial->error;
            return false;
        }
        if (!settle(work, trial)) {
            return false;
        }
    }
    while (again) {
        again = false;
        for (uint32_t i = 0; i < work->trials; i++) {
            struct trial *trial = &work->trial[i];

            if (trial->used && trial->held) {
                if (!settle(work, trial)) {
                    return false;
                }
                again = again || !trial->used;
            }
        }
    }
    return true;
}

static void on_signal(struct work *work, const sigset_t *blocked)
{
    struct signalfd_siginfo info;

    if (read(work->signals, &info, sizeof info) != (ssize_t)sizeof info) {
        return;
    }
    work->experiment->signal = (int)info.ssi_signo;
    work->deadline_s = progress_clock_s() + GRACE_S;
    close(work->signals);
    work->signals = -1;
    pthread_sigmask(SIG_UNBLOCK, blocked, NULL); /* the next one kills */
    pthread_mutex_lock(&work->lock);
    work->stop = true;
    work->ready.count = 0;
    pthread_cond_broadcast(&work->ready_or_stop);
    pthread_mutex_unlock(&work->lock);
}

static bool is_over(struct work *work)
{
    bool over;

    if (work->experiment->signal == 0) {
        return cells_closed(&work->cells);
    }
    pthread_mutex_lock(&work->lock);
    over = work->running == 0 && work->done.count == 0;
    pthread_mutex_unlock(&work->lock);
    return over || progress_clock_s() >= work->deadline_s;
}

/* The main thread's loop. */
static bool supervise(struct work *work, const sigset_t *blocked)
{
    while (!is_over(work)) {
        struct pollfd fds[2] = {{.fd = work->wake, .events = POLLIN},
                                {.fd = work->signals, .events = POLLIN}};
        uint64_t ignored;

        if (work->experiment->signal == 0) {
            fill(work);
        }
        if (poll(fds, 2, 100) > 0) {
            if ((fds[1].revents & POLLIN) && work->signals >= 0) {
                on_signal(work, blocked);
            }
            if (fds[0].revents & POLLIN) {
                (void)!read(work->wake, &ignored, sizeof ignored);
            }
        }
        if (!collect(work)) {
            return false;
        }
        progress_expect(&work->progress, work->cells.grown_runs, work->cells.grown_weight);
        work->cells.grown_runs = 0;
        work->cells.grown_weight = 0;
        progress_draw(&work->progress);
    }
    return true;
}

/* Marks what did not become precise, in the order of the cells, and counts. */
static bool conclude(struct work *work, int64_t scenario_id, struct problems *problems)
{
    struct experiment *experiment = work->experiment;
    uint64_t kept = 0;

    for (size_t i = 0; i < experiment->points * experiment->variants; i++) {
        struct experiment_cell *cell = &experiment->cell[i];
        char text[700], line[1200];

        cell->replications = work->cells.list[i].have;
        cell->precise = !work->cells.list[i].imprecise;
        kept += cell->replications;
        if (!work->cells.list[i].imprecise) {
            continue;
        }
        cells_describe(&work->cells, i, text, sizeof text);
        problems_warning(problems, "stop.relative_precision", "%s", text);
        error_format(&problems->list[problems->count - 1].error, "warning", line, sizeof line);
        if (!store_warn(work->store, scenario_id, line, work->error)) {
            return false;
        }
    }
    experiment->reused = kept - experiment->computed;
    return true;
}

static bool run_work(struct work *work, int64_t scenario_id,
                     const struct experiment_options *options, struct problems *problems,
                     bool *joined)
{
    sigset_t blocked, before;
    bool ok;

    if (!register_cells(work, scenario_id) ||
        !cells_init(&work->cells, work->scenario, work->store, work->experiment, work->threads)) {
        return error_set(work->error, ERROR_SYSTEM, "", "out of memory");
    }
    progress_init(&work->progress, stderr, options->progress);
    progress_expect(&work->progress, work->cells.missing_runs, work->cells.missing_weight);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before); /* the threads inherit it */
    work->signals = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    ok = start_threads(work) && supervise(work, &blocked);
    *joined = stop_threads(work, work->experiment->signal != 0 || !ok);
    progress_end(&work->progress);
    if (work->signals >= 0) {
        close(work->signals);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok && conclude(work, scenario_id, problems) &&
           (work->experiment->signal != 0 ||
            replay_end_warn(work->experiment, work->scenario, work->store, scenario_id, problems,
                            work->error));
}

bool experiment_run(struct experiment *experiment, const struct scenario *scenario,
                    struct store *store, const struct experiment_options *options,
                    struct problems *problems, struct error *error)
{
    struct work *work = calloc(1, sizeof *work);
    bool joined = true, ok = false;
    int64_t id;

    memset(experiment, 0, sizeof *experiment);
    experiment->points = scenario_point_count(scenario);
    experiment->variants = scenario_variant_count(scenario);
    experiment->cell = calloc(experiment->points * experiment->variants, sizeof *experiment->cell);
    if (!work || !experiment->cell) {
        free(work);
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    work->scenario = scenario;
    work->store = store;
    work->experiment = experiment;
    work->error = error;
    if (!work_init(work, options->threads ? options->threads : experiment_threads())) {
        error_set(error, ERROR_SYSTEM, "", "out of memory");
    } else if ((id = store_scenario(store, scenario, problems, error)) != 0) {
        ok = run_work(work, id, options, problems, &joined);
    }
    if (joined) {
        work_free(work);
    }
    return ok;
}

void experiment_fini(struct experiment *experiment)
{
    free(experiment->cell);
    memset(experiment, 0, sizeof *experiment);
}
