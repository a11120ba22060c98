/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Closing vhost after the window: the worker stops after the run it is in, then every zerocopy packet that is out is
 * waited for, as long as it takes. Nothing else is measured here.
 */
#include <math.h>

#include "models/datapath_state.h"

/* When the worker had stopped and the last packet had completed. Stopped, it returns none: the entries tell. */
static sim_time closed_at(const struct datapath *dp)
{
    const struct ubuf *u = &dp->vhost.tx.ubuf;
    sim_time last = dp->vhost.worker.idle_since;

    for (uint32_t i = 0; i < ubuf_pending(u); i++) {
        sim_time completed = u->entry[(u->done + i) % UBUF_RING].completed;

        last = completed > last ? completed : last;
    }
    return last;
}

void datapath_release(struct datapath *dp, sim_time longest, struct run_result *result)
{
    const struct ubuf *u = &dp->vhost.tx.ubuf;
    sim_time begin = dp->sim.now > dp->end ? dp->sim.now : dp->end;

    if (!datapath_has_vhost(dp) || !dp->config->vhost.release || dp->hung) {
        return;
    }
    dp->vhost.worker.stopped = true;
    for (int i = 1; i <= 16 && (dp->vhost.worker.running || u->outstanding > 0); i++) {
        sim_run(&dp->sim, begin + i * (longest / 16));
    }
    dp->release_hung = dp->vhost.worker.running || u->outstanding > 0;
    dp->hung = dp->release_hung;
    if (!dp->hung) {
        result->metric[METRIC_RELEASE] = fmax(sim_time_us(closed_at(dp) - begin), 0);
    }
}
