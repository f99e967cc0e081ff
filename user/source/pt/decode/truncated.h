/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the end of a trace that was truncated because a buffer was full: in the middle of a
 * packet, or between two packets that belong together.
 */
#ifndef FARGS_SOURCE_PT_DECODE_TRUNCATED_H
#define FARGS_SOURCE_PT_DECODE_TRUNCATED_H

#include <stdint.h>

struct pt_config;

/*
 * Number of bytes of @config, which begin with a PSB, that are complete packets with all packets
 * that belong to them. libipt would use the others to follow code up to the point where it needs
 * missing packets, although the CPU need not have executed that code. -ENOMEM: out of memory.
 */
int64_t fargs_pt_complete_bytes(const struct pt_config *config);

#endif
