/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of an Intel PT trace as a source. Its events are like those of recorded calls: one for
 * each call and, if returns are shown, one for each return. If a record was joined to a call, the
 * events of the call contain the record's values.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_CALLS_H
#define FARGS_SOURCE_PT_EVENTS_CALLS_H

#include "source/pt/input/input.h"
#include "source/pt/join/shown.h"
#include "source/source.h"

/*
 * @in and @options must outlive the source. @bare: metadata that the source uses if there are no
 * records; initialized by this function, and freed by the caller after the source. @how: only its
 * nr_threads and, if there are no records, its cpus are used. Returns NULL with @err on error.
 */
struct fargs_event_source *fargs_pt_calls_source(const struct fargs_pt_input *in,
					   const struct fargs_pt_shown_options *options,
					   const struct fargs_pt_trace_options *how,
					   struct fargs_meta *bare,
					   struct fargs_error_text *err);
void fargs_pt_calls_source_destroy(struct fargs_event_source *source);

#endif
