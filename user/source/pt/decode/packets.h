/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets as text, each a line with its offset in the stream, in the shape of libipt's
 * ptdump.
 */
#ifndef FARGS_PT_PACKETS_H
#define FARGS_PT_PACKETS_H

#include <stdint.h>

#include "base/buf.h"
#include "source/pt/input/input.h"

struct pt_config;

/* Takes whole lines. 0, or what ends it. */
typedef int (*fargs_pt_packets_fn)(void *arg, const char *text, size_t bytes);

/*
 * All packets of @s; what cannot be read is told, and gone over to the next PSB. Counts such
 * places in *@nr_errors. 0; what @fn returned; -ENOMEM.
 */
int fargs_pt_packets_dump(const struct fargs_pt_config *config, const struct fargs_pt_stream *s,
			  fargs_pt_packets_fn fn, void *arg, uint64_t *nr_errors);

/*
 * Has libipt pass over packets that are newer than it is, which it would stop at. Not where it
 * follows the flow: a FUP behind such a packet is no interrupt.
 */
void fargs_pt_packets_extend(struct pt_config *config);

#endif
