/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a captured frame says of the packet the driver had: its length as an Ethernet frame,
 * whatever header the capture put in place of that one; who sent it; how much of it is TCP payload.
 */
#ifndef SIM_STUDY_TRACE_PCAP_FRAME_H
#define SIM_STUDY_TRACE_PCAP_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/study/trace.h"
#include "sim/study/trace_pcap_scan.h"

/* Whether packets of this link type can be read; else *name gets what it is called. */
bool pcap_link_known(uint16_t link, char *name, size_t bytes);

/* Whether its length had to be turned into that of an Ethernet frame. */
bool pcap_link_restored(uint16_t link);

/* Fills size, payload, direction. mac: the sender's address, NULL: not known. False: no packet of
 * the network (a wireless management frame), or not to be told from what was captured. */
bool pcap_frame_read(const struct pcap_record *record, const uint8_t *data, const uint8_t *mac,
                     struct trace_packet *packet);

#endif
