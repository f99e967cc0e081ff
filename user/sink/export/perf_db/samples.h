/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables "samples" and "selected_events", and those of what Intel PT reports besides branches.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_SAMPLES_H
#define FARGS_SINK_EXPORT_PERF_DB_SAMPLES_H

#include "base/intern.h"
#include "model/decoder.h"
#include "sink/export/perf_db/calls.h"
#include "sink/export/perf_db/places.h"
#include "sink/export/perf_db/tasks.h"
#include "sink/export/perf_db/writer.h"

struct fargs_pdb_samples {
	struct fargs_pdb_writer *w;
	struct fargs_pdb_places *places;
	struct fargs_pdb_tasks *tasks;
	struct fargs_pdb_calls *calls;
	struct fargs_intern events;	/* names: event @n has id @n + 1 */
	int64_t nr;			/* the last id */
};

/* Initialize with the writer, the other tables and zeroes. */
void fargs_pdb_samples_deinit(struct fargs_pdb_samples *s);
/* Adds @ev, which has a struct fargs_event_sample, and its call. Returns 0 or -errno. */
int fargs_pdb_samples_add(struct fargs_pdb_samples *s, struct fargs_decoder *d,
			  const struct fargs_event *ev);

#endif
