/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf script's fields brstackinsn and brstackinsnlen. Private to sink/text/perf_*.c.
 */
#ifndef FARGS_SINK_TEXT_PERF_BLOCKS_H
#define FARGS_SINK_TEXT_PERF_BLOCKS_H

#include "sink/text/perf_parts.h"

/*
 * If they are fields: writes the instructions between the last branches, oldest first, up to that
 * of the sample.
 */
void fargs_perf_put_blocks(struct fargs_perf_writer *w);

#endif
