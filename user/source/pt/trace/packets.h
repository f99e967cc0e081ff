/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints packets, each on a line with its offset in the stream, in the format of libipt's ptdump;
 * packets that it does not know, in the same style.
 */
#ifndef FARGS_SOURCE_PT_TRACE_PACKETS_H
#define FARGS_SOURCE_PT_TRACE_PACKETS_H

#include <stdint.h>

#include "base/buf.h"
#include "source/pt/input/input.h"

/* Called with one or more complete lines. A nonzero result ends the dump. */
typedef int (*fargs_pt_packets_fn)(void *arg, const char *text, size_t bytes);

/*
 * Prints all packets of @s. Errors are reported in the text and counted in *@nr_errors; the dump
 * continues at the next PSB. Returns 0, the nonzero result of @fn, or -ENOMEM.
 */
int fargs_pt_packets_dump(const struct fargs_pt_config *config, const struct fargs_pt_stream *s,
			  fargs_pt_packets_fn fn, void *arg, uint64_t *nr_errors);

#endif
