/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes: which class a request falls into, and how a slab of that class is laid out. */
#include "models/slab.h"

static const uint32_t class_bytes[SLAB_CLASSES] = {8,   16,  32,   64,   96,   128, 192,
                                                   256, 512, 1024, 2048, 4096, 8192};

/* Smallest power of two that is not below x; x >= 1. */
static uint64_t power_of_two_from(uint64_t x)
{
    uint64_t power = 1;

    while (power < x) {
        power *= 2;
    }
    return power;
}

uint32_t slab_class(uint32_t bytes)
{
    uint32_t index = 0;

    while (class_bytes[index] < bytes) {
        index++;
    }
    return index;
}

uint32_t slab_class_bytes(uint32_t index)
{
    return class_bytes[index];
}

uint64_t slab_bucket_bytes(uint64_t bytes)
{
    if (bytes == 0) {
        return 0;
    }
    if (bytes <= SLAB_CLASS_LARGEST) {
        return class_bytes[slab_class((uint32_t)bytes)];
    }
    return power_of_two_from(bytes);
}

uint32_t slab_class_order(const struct slab_config *config, uint32_t index)
{
    switch (class_bytes[index]) {
    case 256:
        return config->order_256;
    case 512:
        return config->order_512;
    case 1024:
        return config->order_1024;
    case 2048:
        return config->order_2048;
    case 4096:
    case 8192:
        return 3;
    default:
        return 0;
    }
}

uint32_t slab_partial_objects(uint32_t object_bytes)
{
    return object_bytes >= 4096 ? 6 : object_bytes >= 1024 ? 24 : object_bytes >= 256 ? 52 : 120;
}
