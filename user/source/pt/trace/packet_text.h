/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A packet in the words of perf: as in its log of Intel PT, and in the dump of perf script -D.
 */
#ifndef FARGS_SOURCE_PT_TRACE_PACKET_TEXT_H
#define FARGS_SOURCE_PT_TRACE_PACKET_TEXT_H

#include "base/buf.h"
#include "source/pt/packet/packet.h"

/* Appends the name and the payload of @p, which is not CUT. */
void fargs_pt_packet_put_text(struct fargs_buf *out, const struct fargs_pt_packet *p);

#endif
