/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the end of the complete packets in a trace that was truncated because a buffer was full,
 * possibly in the middle of a packet, or between two packets that belong together.
 */
#ifndef FARGS_SOURCE_PT_DECODE_TRUNCATED_H
#define FARGS_SOURCE_PT_DECODE_TRUNCATED_H

#include <stdint.h>

struct pt_config;

/*
 * Returns the number of bytes at the beginning of @config's trace that are complete packets, with
 * all packets that belong to them. The trace must begin with a PSB. The remaining bytes must not be
 * passed to libipt: it would follow code up to the point where it needs missing packets, although
 * the CPU may not have executed that code.
 */
int64_t fargs_pt_complete_bytes(const struct pt_config *config);

#endif
