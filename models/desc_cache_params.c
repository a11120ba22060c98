/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stddef.h>

#include "models/desc_cache.h"

static const struct param_choice variant[] = {
    {.name = "v1", .help = "list, items of 4 entries, on (threshold above 0) or off"},
    {.name = "v2",
     .help = "list, items of the threshold's entries, allocated when missing and kept"},
    {.name = "v3", .help = "array of items allocated with every queue"},
    {.name = "v4", .help = "array of items allocated with queues that use indirect descriptors"},
    {.name = NULL},
};

static const struct param_choice nodes[] = {
    {.name = "local", .help = "the node of the CPU that sends"},
    {.name = "remote", .help = "another one: each line that misses costs costs.memory.remote more"},
    {.name = NULL},
};

#define AT(member)    .offset = offsetof(struct desc_cache_config, member)
#define ONLY_INDIRECT .when_path = "guest.tx_ring.indirect", .when_value = "true"

static const struct param rows[] = {
    {.path = "guest.virtio_desc_cache_thr",
     .kind = PARAM_COUNT,
     AT(thr),
     .least = 0,
     .most = 4294967295.0,
     .fallback = "4",
     .unit = "entries",
     .alias = "virtio_desc_cache_thr",
     ONLY_INDIRECT,
     .help =
         "requests of up to so many entries take their table from the descriptor cache, 0: off; "
         "above 2 + guest.max_skb_frags it is clamped"},
    {.path = "guest.desc_cache.variant",
     .kind = PARAM_CHOICE,
     AT(variant),
     .choices = variant,
     .fallback = "v2",
     ONLY_INDIRECT,
     .help = "how the descriptor cache keeps its items"},
    {.path = "guest.desc_cache.items",
     .kind = PARAM_COUNT,
     AT(items),
     .least = 0,
     .most = 32768,
     .fallback = "0",
     .unit = "items",
     ONLY_INDIRECT,
     .help = "most items that a list keeps or an array has, 0: one for each descriptor"},
    {.path = "guest.desc_cache.bytes",
     .kind = PARAM_BYTES,
     AT(bytes),
     .least = 0,
     .most = 1073741824.0,
     .fallback = "0",
     .unit = "bytes",
     ONLY_INDIRECT,
     .help = "the same limit as memory allocated for kept items, 0: none"},
    {.path = "guest.desc_cache.most_contiguous",
     .kind = PARAM_BYTES,
     AT(most_contiguous),
     .least = 4096,
     .most = 1073741824.0,
     .fallback = "4MiB",
     .unit = "bytes",
     ONLY_INDIRECT,
     .help = "largest single allocation: an array above it leaves the cache off"},
    {.path = "guest.desc_cache.round_to_line",
     .kind = PARAM_BOOL,
     AT(round_to_line),
     .fallback = "false",
     ONLY_INDIRECT,
     .help = "items are rounded up to whole cache lines"},
    {.path = "guest.desc_cache.node",
     .kind = PARAM_CHOICE,
     AT(node),
     .choices = nodes,
     .fallback = "local",
     .when_path = "guest.desc_cache.variant",
     .when_value = "v3|v4",
     .help = "NUMA node of the array"},
    {.path = "costs.cache.pop_push",
     .kind = PARAM_COST,
     .most = 1e12,
     AT(pop_push),
     .fallback = "1.5ns",
     .help = "one item taken or put, without cache lines",
     .certificate = {"0.5ns", "4ns", PARAM_GUESS, "a few instructions on hot lines"}},
};

const struct param_table desc_cache_params =
    PARAM_TABLE("descriptor cache", struct desc_cache_config, rows, NULL);

static void check_threshold(const struct desc_cache_config *config,
                            const struct desc_cache_queue *queue, struct problems *problems)
{
    const char *path = "guest.virtio_desc_cache_thr";
    uint32_t thr = desc_cache_thr(config, queue->max_skb_frags);

    if (thr < config->thr) {
        problems_warning(problems, path,
                         "%" PRIu32 " is above 2 + guest.max_skb_frags, the driver clamps it to "
                         "%" PRIu32,
                         config->thr, thr);
    }
    if (config->variant == DESC_CACHE_V1 && thr > 0 && thr != DESC_CACHE_V1_SG) {
        problems_warning(problems, path,
                         "%" PRIu32 " acts as 4: the items of variant v1 have a fixed size", thr);
    } else if (config->variant != DESC_CACHE_V1 && thr == 1) {
        problems_warning(
            problems, path,
            "1 can never hit, the smallest table has 2 entries; 0 turns the cache off");
    }
}

void desc_cache_warn(const struct desc_cache_config *config, const struct desc_cache_queue *queue,
                     struct problems *problems)
{
    struct desc_cache_shape shape = desc_cache_shape_of(config, queue);

    check_threshold(config, queue, problems);
    if (shape.off == DESC_CACHE_OFF_CONTIGUOUS) {
        problems_warning(problems, "guest.desc_cache.variant",
                         "an array of %" PRIu32 " items of %" PRIu32 " bytes takes %" PRIu64
                         " bytes, above guest.desc_cache.most_contiguous: the cache is off",
                         shape.items, shape.item_bytes, shape.array_allocated_bytes);
    } else if (shape.off == DESC_CACHE_OFF_BYTES) {
        problems_warning(problems, "guest.desc_cache.bytes",
                         "%" PRIu64 " bytes hold no item of %" PRIu32 " bytes: the cache is off",
                         config->bytes, shape.item_bytes);
    } else if (config->items > queue->ring_size) {
        problems_warning(problems, "guest.desc_cache.items",
                         "%" PRIu32 " has no effect above the ring size %" PRIu32, config->items,
                         queue->ring_size);
    }
}
