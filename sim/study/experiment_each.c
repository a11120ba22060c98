/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/experiment_each.h"

#include <pthread.h>
#include <stdlib.h>

#include "sim/study/experiment.h"

struct each {
    experiment_index *function;
    void *context;
    size_t count;
    struct progress *progress;

    /* under the lock */
    pthread_mutex_t lock;
    size_t next;
};

static bool take(struct each *each, size_t *index, bool done)
{
    bool more;

    pthread_mutex_lock(&each->lock);
    if (done && each->progress) {
        progress_done(each->progress, 1);
        progress_draw(each->progress);
    }
    more = each->next < each->count;
    *index = each->next;
    each->next += more ? 1 : 0;
    pthread_mutex_unlock(&each->lock);
    return more;
}

static void *thread_main(void *context)
{
    struct each *each = context;
    size_t index;

    for (bool done = false; take(each, &index, done); done = true) {
        each->function(each->context, index);
    }
    return NULL;
}

void experiment_each(uint32_t threads, size_t count, experiment_index *function, void *context,
                     struct progress *progress)
{
    struct each each = {
        .function = function, .context = context, .count = count, .progress = progress};
    uint32_t started = 0, wanted = threads ? threads : experiment_threads();
    pthread_t *thread;

    wanted = count < wanted ? (uint32_t)count : wanted;
    thread = calloc(wanted + 1, sizeof *thread);
    pthread_mutex_init(&each.lock, NULL);
    if (progress) {
        progress_expect(progress, count, (double)count);
    }
    /* The calling thread is one of them. */
    while (thread && started + 1 < wanted &&
           pthread_create(&thread[started], NULL, thread_main, &each) == 0) {
        started++;
    }
    thread_main(&each);
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(thread[i], NULL);
    }
    pthread_mutex_destroy(&each.lock);
    free(thread);
}
