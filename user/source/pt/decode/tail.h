/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of a trace, as it is where a buffer was full: in the middle of a packet, or between
 * two that belong together.
 */
#ifndef FARGS_PT_TAIL_H
#define FARGS_PT_TAIL_H

#include <stdint.h>

struct pt_config;

/*
 * How many of the bytes of @config, which begin with a PSB, are packets with all that belongs to
 * them. libipt would follow the code up to where it needs what is missing of the others, which the
 * CPU need not have done. -ENOMEM.
 */
int64_t fargs_pt_tail_find(const struct pt_config *config);

#endif
