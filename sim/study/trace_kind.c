/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_kind.h"

static enum trace_kind kind_of_name(struct trace_text name)
{
    static const struct {
        const char *name;
        enum trace_kind kind;
    } names[] = {
        {"net_dev_start_xmit", TRACE_KIND_XMIT},
        {"netif_receive_skb", TRACE_KIND_RECEIVE},
        {"vq_add", TRACE_KIND_ADD},
        {"kmalloc", TRACE_KIND_TABLE},
        {"vq_kickp", TRACE_KIND_KICK_TEST},
        {"vq_notify", TRACE_KIND_DOORBELL},
        {"napi_poll", TRACE_KIND_POLL},
        {"irq_handler_entry", TRACE_KIND_INTERRUPT},
        {"softirq_entry", TRACE_KIND_SOFTIRQ},
        {"kmalloc_node", TRACE_KIND_TABLE},
        {"virtqueue_add_outbuf", TRACE_KIND_ADD},
        {"virtqueue_kick_prepare", TRACE_KIND_KICK_TEST},
        {"vp_notify", TRACE_KIND_DOORBELL},
        {"vp_notify_with_data", TRACE_KIND_DOORBELL},
        {"vm_notify", TRACE_KIND_DOORBELL},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (name.at[0] == names[i].name[0] && trace_text_is(name, names[i].name)) {
            return names[i].kind;
        }
    }
    return TRACE_KIND_OTHER;
}

struct trace_text trace_event_symbol(const struct trace_event *event)
{
    const char *p = event->fields.at, *end = p + event->fields.length;
    struct trace_text symbol = {p, 0};

    if (p == end || *p != '(') {
        return symbol;
    }
    symbol.at = ++p;
    while (p < end && *p != '+' && *p != ')' && *p != ' ') {
        p++;
    }
    symbol.length = (size_t)(p - symbol.at);
    while (p < end && *p != ')' && *p != '<') {
        p++;
    }
    if (p == end || *p != ')') { /* "(CALLER <- SYMBOL)": of its return */
        symbol.length = 0;
    }
    return symbol;
}

/* "p_SYMBOL_0" without what the kernel puts around it when a probe is given no name. */
static struct trace_text plain_name(struct trace_text name)
{
    size_t digits = 0;

    if (!trace_text_starts(name, "p_")) {
        return name;
    }
    while (digits < name.length && name.at[name.length - 1 - digits] >= '0' &&
           name.at[name.length - 1 - digits] <= '9') {
        digits++;
    }
    if (digits > 0 && name.length > digits + 3 && name.at[name.length - 1 - digits] == '_') {
        name.at += 2;
        name.length -= digits + 3;
    }
    return name;
}

enum trace_kind trace_kind(const struct trace_event *event)
{
    enum trace_kind kind = kind_of_name(event->name);
    struct trace_text symbol;

    if (kind == TRACE_KIND_OTHER) {
        symbol = trace_event_symbol(event);
        if (symbol.length > 0) {
            kind = kind_of_name(symbol);
        }
    }
    return kind == TRACE_KIND_OTHER ? kind_of_name(plain_name(event->name)) : kind;
}

void trace_fields_read(struct trace_fields *f, struct trace_text rest)
{
    struct trace_text key, value;

    *f = (struct trace_fields){.device = {"", 0}};
    while (trace_event_field(&rest, &key, &value)) {
        if (trace_text_is(key, "len")) {
            f->has_len = f->has_len || trace_text_number(value, &f->len);
        } else if (trace_text_is(key, "dev")) {
            f->device = value;
        } else if (trace_text_is(key, "data_len")) {
            f->has_data_len = trace_text_number(value, &f->data_len);
        } else if (trace_text_is(key, "queue_mapping")) {
            f->has_queue = trace_text_number(value, &f->queue);
        } else if (trace_text_is(key, "gso_type")) {
            f->has_gso_type = value.length > 2;
        }
    }
}
