/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds details of samples: the code of the instruction, its text, and its places in the file and
 * in the source (enum fargs_event_detail). The kernel's are not known.
 */
#ifndef FARGS_SOURCE_PERF_DATA_DETAILS_H
#define FARGS_SOURCE_PERF_DATA_DETAILS_H

#include "model/event.h"
#include "source/perf_data/recording.h"

struct fargs_sample_details;

/* @r must outlive the result. Returns NULL if out of memory. */
struct fargs_sample_details *fargs_sample_details_create(struct fargs_recording *r,
							 uint32_t details);
void fargs_sample_details_destroy(struct fargs_sample_details *d);

/* Sets where @place, of process @pid, is in its file and in the source. */
void fargs_sample_details_place(struct fargs_sample_details *d, int32_t pid,
				struct fargs_event_place *place);

/*
 * Sets @insn to the instruction at @addr of process @pid. Its code is valid until the next call.
 * Returns false if it is unknown, or not needed.
 */
bool fargs_sample_details_insn(struct fargs_sample_details *d, int32_t pid, uint64_t addr,
			       struct fargs_event_insn *insn);

/*
 * Sets the details of @sample, of process @pid, which are valid until the next call. Returns 0 or
 * -ENOMEM.
 */
int fargs_sample_details_set(struct fargs_sample_details *d, int32_t pid,
			     struct fargs_event_sample *sample);

#endif
