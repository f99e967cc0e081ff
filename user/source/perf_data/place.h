/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Resolves addresses in samples to symbols of the kernel or of a program.
 */
#ifndef FARGS_SOURCE_PERF_DATA_PLACE_H
#define FARGS_SOURCE_PERF_DATA_PLACE_H

#include "model/event.h"
#include "source/perf_data/recording.h"

/*
 * Fills in @place for @addr in the process @pid, at the time of the sample that was last read from
 * @r. The strings are valid until @r is closed.
 */
void fargs_recording_place(struct fargs_recording *r, int32_t pid, uint64_t addr,
			   struct fargs_event_place *place);

#endif
