/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins records of a trace file to the calls that perf's branch samples show. The join is the same
 * as for traces that fargs decodes itself (source/pt/join/join.h): it is based on executions of the
 * instructions that allocate sequence numbers (seq sites), which are derived from the branches. A
 * call that several records may belong to gets no record.
 */
#ifndef FARGS_PLUGIN_DLFILTER_SAMPLE_CALLS_H
#define FARGS_PLUGIN_DLFILTER_SAMPLE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/decoder.h"
#include "plugin/dlfilter/api.h"
#include "source/pt/join/join.h"

struct fargs_sample_calls;

/* Returns NULL with @err on error, including if the records of @path cannot be joined. */
struct fargs_sample_calls *fargs_sample_calls_create(const char *path,
						     struct fargs_error_text *err);
void fargs_sample_calls_destroy(struct fargs_sample_calls *c);

/* Returns the metadata of the records, for filters. */
struct fargs_meta *fargs_sample_calls_meta(struct fargs_sample_calls *c);

/*
 * Special call numbers. FARGS_SAMPLE_NO_CALL: the sample is not a call of a traced function.
 * FARGS_SAMPLE_UNKNOWN_CALL: the call cannot be joined to records.
 */
#define FARGS_SAMPLE_NO_CALL		0
#define FARGS_SAMPLE_UNKNOWN_CALL	UINT64_MAX

/*
 * Processes the next sample. All samples of a CPU must be passed, in the order of execution. Sets
 * *@call to the number of the call if @sample enters a traced function. Returns 0 or -ENOMEM.
 */
int fargs_sample_calls_take(struct fargs_sample_calls *c,
			    const struct fargs_dlfilter_sample *sample, uint64_t *call);

/* Joins the records. Call after the last sample. Returns 0 or -ENOMEM. */
int fargs_sample_calls_finish(struct fargs_sample_calls *c);

/*
 * Decodes the record of @call, as fargs_decoder_parse() does. Call after
 * fargs_sample_calls_finish(). Returns 1; 0: the record is unknown; or -ENOMEM.
 */
int fargs_sample_calls_get(struct fargs_sample_calls *c, uint64_t call, struct fargs_event *ev,
			   struct fargs_decoder **d);

/*
 * Returns the number of executions of seq sites; 0: fargs' own code was not traced, or is not in
 * the samples.
 */
uint64_t fargs_sample_calls_nr_taken(const struct fargs_sample_calls *c);
const struct fargs_pt_join_counts *fargs_sample_calls_counts(const struct fargs_sample_calls *c);

#endif
