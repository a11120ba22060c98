/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/net_dim.h"

const struct net_dim_profile net_dim_profiles[NET_DIM_DIRECTIONS][NET_DIM_MODES][NET_DIM_PROFILES] =
    {
        [NET_DIM_RX] = {[NET_DIM_EQE] = {{1, 256}, {8, 256}, {64, 256}, {128, 256}, {256, 256}},
                        [NET_DIM_CQE] = {{2, 256}, {8, 128}, {16, 64}, {32, 64}, {64, 64}}},
        [NET_DIM_TX] = {[NET_DIM_EQE] = {{1, 128}, {8, 128}, {32, 128}, {64, 128}, {128, 128}},
                        [NET_DIM_CQE] = {{5, 128}, {8, 64}, {16, 32}, {32, 32}, {64, 32}}},
};

enum verdict { SAME, BETTER, WORSE };
enum step { STEPPED, EDGE, TOO_TIRED };

/* ---- rates ---- */

/* Per millisecond, rounded up, cut to 32 bits as an int is. */
static int32_t rate(uint64_t count, uint32_t delta_us)
{
    return (int32_t)(uint32_t)((count * 1000 + delta_us - 1) / delta_us);
}

/* False: no time has passed, so the window stays open. Events are a constant: a window has that
 * many, even where it has more. */
static bool measure(const struct net_dim *dim, const struct net_dim_sample *end,
                    struct net_dim_rates *rates)
{
    uint32_t delta_us = (uint32_t)((end->time_ns - dim->start.time_ns) / 1000);

    if (delta_us == 0) {
        return false;
    }
    *rates = (struct net_dim_rates){.bytes = rate(end->bytes - dim->start.bytes, delta_us),
                                    .packets = rate(end->packets - dim->start.packets, delta_us),
                                    .events = rate(dim->window, delta_us)};
    return true;
}

/* ---- comparing ---- */

/* Relative to the reference, in whole percent; the difference is a 32-bit one that wraps. */
static bool significant(const struct net_dim *dim, int32_t rate_now, int32_t reference)
{
    uint32_t difference = (uint32_t)rate_now - (uint32_t)reference;
    uint32_t size = difference > INT32_MAX ? 0 - difference : difference;
    /* An int that is widened keeps its sign, as the least one does, whose size is itself. */
    uint64_t wide = (uint64_t)(int64_t)(int32_t)size;

    return 100 * wide / (uint64_t)(int64_t)reference > dim->significant;
}

static enum verdict compare(const struct net_dim *dim, const struct net_dim_rates *now)
{
    const struct net_dim_rates *reference = &dim->reference;

    if (reference->bytes == 0) {
        return now->bytes != 0 ? BETTER : SAME;
    }
    if (significant(dim, now->bytes, reference->bytes)) {
        return now->bytes > reference->bytes ? BETTER : WORSE;
    }
    if (reference->packets == 0) {
        return now->packets != 0 ? BETTER : SAME;
    }
    if (significant(dim, now->packets, reference->packets)) {
        return now->packets > reference->packets ? BETTER : WORSE;
    }
    if (reference->events != 0 && significant(dim, now->events, reference->events)) {
        return now->events < reference->events ? BETTER : WORSE;
    }
    return SAME;
}

/* ---- deciding ---- */

static void park_top(struct net_dim *dim)
{
    dim->steps_right = 0;
    dim->steps_left = 0;
    dim->tired = 0;
    dim->tune = NET_DIM_PARKED_TOP;
}

/* Stays tired: each window until it is rested takes one off. */
static void park_tired(struct net_dim *dim)
{
    dim->steps_right = 0;
    dim->steps_left = 0;
    dim->tune = NET_DIM_PARKED_TIRED;
}

static void turn(struct net_dim *dim)
{
    if (dim->tune == NET_DIM_RIGHT) {
        dim->tune = NET_DIM_LEFT;
        dim->steps_left = 0;
    } else {
        dim->tune = NET_DIM_RIGHT;
        dim->steps_right = 0;
    }
}

/* It turned back after one step the other way: the profile in between was the best. */
static bool on_top(const struct net_dim *dim)
{
    return dim->tune == NET_DIM_RIGHT ? dim->steps_left > 1 && dim->steps_right == 1
                                      : dim->steps_right > 1 && dim->steps_left == 1;
}

static enum step step(struct net_dim *dim)
{
    bool right = dim->tune == NET_DIM_RIGHT;

    if (dim->tired == NET_DIM_TIRED) {
        return TOO_TIRED;
    }
    if (dim->profile == (right ? NET_DIM_PROFILES - 1 : 0)) {
        return EDGE;
    }
    if (right) {
        dim->profile++;
        dim->steps_right++;
    } else {
        dim->profile--;
        dim->steps_left++;
    }
    dim->tired++;
    return STEPPED;
}

/* From the left end to the right, else to the left, whatever the rates say. */
static void leave_parking(struct net_dim *dim)
{
    dim->tune = dim->profile == 0 ? NET_DIM_RIGHT : NET_DIM_LEFT;
    step(dim);
}

static void go_on(struct net_dim *dim, enum verdict verdict)
{
    if (verdict != BETTER) {
        turn(dim);
    }
    if (on_top(dim)) {
        park_top(dim);
        return;
    }
    switch (step(dim)) {
    case STEPPED:
        break;
    case EDGE:
        park_top(dim);
        break;
    case TOO_TIRED:
        park_tired(dim);
        break;
    }
}

/* True: the profile changed. The reference is frozen while it stays parked on top. */
static bool decide(struct net_dim *dim, const struct net_dim_rates *now)
{
    uint8_t tune = dim->tune, profile = dim->profile;

    switch ((enum net_dim_tune)dim->tune) {
    case NET_DIM_PARKED_TOP:
        if (compare(dim, now) != SAME) {
            leave_parking(dim);
        }
        break;
    case NET_DIM_PARKED_TIRED:
        if (--dim->tired == 0) {
            leave_parking(dim);
        }
        break;
    case NET_DIM_RIGHT:
    case NET_DIM_LEFT:
        go_on(dim, compare(dim, now));
        break;
    }
    if (tune != NET_DIM_PARKED_TOP || dim->tune != NET_DIM_PARKED_TOP) {
        dim->reference = *now;
    }
    return dim->profile != profile;
}

/* ---- calls ---- */

void net_dim_init(struct net_dim *dim, uint16_t window_events, uint32_t significant_percent)
{
    *dim = (struct net_dim){.window = window_events, .significant = significant_percent};
}

bool net_dim(struct net_dim *dim, const struct net_dim_sample *sample)
{
    struct net_dim_rates now;

    if (dim->state == NET_DIM_APPLY) {
        return false;
    }
    if (dim->state == NET_DIM_MEASURE) {
        if ((uint16_t)(sample->events - dim->start.events) < dim->window ||
            !measure(dim, sample, &now)) {
            return false;
        }
        if (decide(dim, &now)) {
            dim->state = NET_DIM_APPLY;
            return true;
        }
    }
    dim->start = *sample;
    dim->state = NET_DIM_MEASURE;
    return false;
}

void net_dim_applied(struct net_dim *dim)
{
    dim->state = NET_DIM_START;
}
