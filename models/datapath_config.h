/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of the whole datapath: the parts' plain structs, and what belongs to none of them.
 */
#ifndef MODELS_DATAPATH_CONFIG_H
#define MODELS_DATAPATH_CONFIG_H

#include "models/backend.h"
#include "models/dma.h"
#include "models/guest.h"
#include "models/host_qdisc.h"
#include "models/host_socket.h"
#include "models/idle.h"
#include "models/indirect.h"
#include "models/kernel.h"
#include "models/memory.h"
#include "models/nic.h"
#include "models/notify.h"
#include "models/outside.h"
#include "models/peer.h"
#include "models/rx_config.h"
#include "models/receiver.h"
#include "models/rx_ring.h"
#include "models/vhost_config.h"
#include "models/vhost_rx.h"
#include "models/virtqueue.h"
#include "models/workload.h"

struct timing_config {
    double jitter_cv; /* coefficient of variation of the times that jitter */
};

struct datapath_config {
    struct timing_config timing;
    struct kernel_config kernel;
    struct workload_config workload;
    struct peer_config peer;
    struct guest_config guest;
    struct guest_cost_config guest_cost;
    struct virtqueue_config tx_ring;
    struct indirect_config indirect;
    struct desc_cache_config desc_cache;
    struct slab_config slab;
    struct dma_config dma;
    struct memory_config memory;
    struct notify_config notify;
    struct rx_config receive;
    struct idle_config idle;
    struct vcpu_config vcpu;
    struct backend_config backend;
    struct vhost_config vhost;
    struct nic_config nic;
    struct vhost_rx_config vhost_rx;
    struct rx_ring_config rx_ring;
    struct outside_config outside;
    struct host_socket_config host_socket;
    struct host_qdisc_config host_qdisc;
    struct receiver_config receiver;
};

#endif
