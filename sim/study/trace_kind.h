/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of the kernel's events a line of a text trace is, and what it tells of a packet.
 *
 * Events of the kernel have fixed names. A probe on a function may be called anything: "vq_add",
 * "vq_kickp" and "vq_notify" are the names that `vqsim capture` gives, a function's own name is
 * what perf gives, and any other is known by the "(SYMBOL+0x0/0x60 [module])" that begins its
 * fields.
 */
#ifndef SIM_STUDY_TRACE_KIND_H
#define SIM_STUDY_TRACE_KIND_H

#include "sim/study/trace_event.h"

enum trace_kind {
    TRACE_KIND_OTHER,
    TRACE_KIND_XMIT,      /* net_dev_start_xmit: a packet goes to a driver */
    TRACE_KIND_RECEIVE,   /* netif_receive_skb: a packet came, after GRO */
    TRACE_KIND_ADD,       /* on virtqueue_add_outbuf: a request is made of it */
    TRACE_KIND_TABLE,     /* kmalloc */
    TRACE_KIND_KICK_TEST, /* on virtqueue_kick_prepare */
    TRACE_KIND_DOORBELL,  /* on the doorbell's write */
    TRACE_KIND_POLL,      /* napi_poll */
    TRACE_KIND_INTERRUPT, /* irq_handler_entry */
    TRACE_KIND_SOFTIRQ,   /* softirq_entry */
};

enum trace_kind trace_kind(const struct trace_event *event);

/* SYMBOL of fields that begin "(SYMBOL+0x0/0x60 [module])" or "(SYMBOL+0x8d)"; empty: none. */
struct trace_text trace_event_symbol(const struct trace_event *event);

/* Fields of TRACE_KIND_XMIT and TRACE_KIND_RECEIVE; which there are depends on the kernel. */
struct trace_fields {
    struct trace_text device;
    uint64_t len, data_len, queue;
    bool has_len, has_data_len, has_queue;
    bool has_gso_type; /* the last one of net_dev_start_xmit: the line is whole */
};

void trace_fields_read(struct trace_fields *fields, struct trace_text rest);

#endif
