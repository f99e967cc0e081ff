/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a trace file on calls that branch samples of perf show: the same join as on a
 * trace that fargs decodes itself (pt/join.h), by the executions of the instructions that take
 * numbers, of which the branches tell. Where more than one record may be the one there is none.
 */
#ifndef FARGS_DLFILTER_SAMPLE_CALLS_H
#define FARGS_DLFILTER_SAMPLE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decoder.h"
#include "plugin/dlfilter/api.h"
#include "source/pt/join/join.h"
#include "base/error.h"

struct fargs_sample_calls;

/* NULL with @err: also if @path has nothing by which its records could be joined. */
struct fargs_sample_calls *fargs_sample_calls_create(const char *path,
						     struct fargs_error_text *err);
void fargs_sample_calls_destroy(struct fargs_sample_calls *c);

/* For conditions on its records. */
struct fargs_meta *fargs_sample_calls_meta(struct fargs_sample_calls *c);

/* A sample that is no call of a traced function; and a call of which nothing can be known. */
#define FARGS_SAMPLE_NO_CALL		0
#define FARGS_SAMPLE_UNKNOWN_CALL	UINT64_MAX

/*
 * Takes what perf shows next; those of a CPU must all come, in the order in which they were
 * executed. In *@call the number of the call, if it enters a traced function. -ENOMEM.
 */
int fargs_sample_calls_take(struct fargs_sample_calls *c,
			    const struct fargs_dlfilter_sample *sample, uint64_t *call);

/* When all have come. -ENOMEM. */
int fargs_sample_calls_finish(struct fargs_sample_calls *c);

/* Then: the record of @call, as of fargs_decoder_parse; 1, 0: it is not known, or -ENOMEM. */
int fargs_sample_calls_get(struct fargs_sample_calls *c, uint64_t call, struct fargs_event *ev,
			   struct fargs_decoder **d);

/* How often numbers were seen to be taken; 0: our own code was not traced, or not shown. */
uint64_t fargs_sample_calls_nr_taken(const struct fargs_sample_calls *c);
const struct fargs_pt_join_counts *fargs_sample_calls_counts(const struct fargs_sample_calls *c);

#endif
