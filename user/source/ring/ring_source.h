/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rings of a running session as a source. The caller reads the rings and adds what it has read;
 * fargs_event_source_ops.run() passes on the records whose order is certain, and then returns. It
 * is called again after more records were added (fargs_pipeline_pump()).
 */
#ifndef FARGS_SOURCE_RING_RING_SOURCE_H
#define FARGS_SOURCE_RING_RING_SOURCE_H

#include "source/source.h"
#include "uapi/fargs.h"

/*
 * Returns NULL with @err on error. @meta must outlive the source; functions may be added to it
 * before their first record is added.
 */
struct fargs_event_source *fargs_ring_source_create(struct fargs_meta *meta,
						    struct fargs_error_text *err);
void fargs_ring_source_destroy(struct fargs_event_source *source);

/*
 * Add a copy of @bytes of whole records of @cpu, or of its formatted events, after those added
 * before. Return 0, or -errno with @err and without a change.
 */
int fargs_ring_source_records(struct fargs_event_source *source, unsigned int cpu,
			      const void *records, size_t bytes, struct fargs_error_text *err);
int fargs_ring_source_events(struct fargs_event_source *source, unsigned int cpu,
			     const void *records, size_t bytes, struct fargs_error_text *err);

/*
 * Adds a round of clock samples, one for each CPU; @meta does not get it. Returns 0, or -ENOMEM
 * with @err.
 */
int fargs_ring_source_clock(struct fargs_event_source *source,
			    const struct fargs_clock_sample *samples, struct fargs_error_text *err);

/* Instead of a time: no records will be added any more. */
#define FARGS_RING_SOURCE_END	UINT64_MAX

/*
 * All records added from now on are later than @late_ns before the TSC @now_tsc, and all formatted
 * events later than @held_ns. Both times may be FARGS_RING_SOURCE_END. Returns 0, or -errno with
 * @err.
 */
int fargs_ring_source_settle(struct fargs_event_source *source, uint64_t now_tsc,
			     uint64_t late_ns, uint64_t held_ns, struct fargs_error_text *err);

#endif
