/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a perf.data file, and events of its Intel PT trace beside them, as one source, in
 * order of time: letters G and L of perf's --itrace with letters of other events.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_BESIDE_H
#define FARGS_SOURCE_PT_EVENTS_BESIDE_H

#include "base/error.h"
#include "source/pt/events/branches.h"
#include "source/pt/input/input.h"
#include "source/source.h"

/*
 * @samples: a source of perf_data.h, which must outlive the result, as must @in and @which. The
 * result uses the struct fargs_meta and the decoder of @samples, and adds to the former. Returns
 * NULL with @err on error.
 */
struct fargs_event_source *fargs_pt_beside_create(struct fargs_event_source *samples,
						  const struct fargs_pt_input *in,
						  const struct fargs_pt_which *which,
						  struct fargs_error_text *err);
void fargs_pt_beside_destroy(struct fargs_event_source *source);

#endif
