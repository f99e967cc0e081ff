/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about the events that a source provides. A sink or an option works with a source if the
 * source has all facts that the sink or the option needs.
 */
#ifndef FARGS_MODEL_FACTS_H
#define FARGS_MODEL_FACTS_H

#include <stdint.h>

#include "base/error.h"

/* Facts, one bit each: data that the source provides, or properties of the source. */
enum fargs_fact {
	FARGS_FACT_TIMES = 1 << 0,	/* times of all events */
	FARGS_FACT_CPUS = 1 << 1,	/* CPUs of all events */
	FARGS_FACT_RAW = 1 << 2,	/* records as the recorder wrote them */
	FARGS_FACT_TYPES = 1 << 3,	/* types of values, from BTF */
	FARGS_FACT_NESTING = 1 << 4,	/* a call and its return are two events */
	FARGS_FACT_FORMATTED = 1 << 5,	/* events that the kernel describes in tracefs */
	FARGS_FACT_NS_TIDS = 1 << 6,	/* tids of tasks in their own pid namespaces */
	FARGS_FACT_COUNTERS = 1 << 7,	/* counters of the recorder, to detect missing events */
	FARGS_FACT_GROWTH = 1 << 8,	/* the recording can be read while it is being written */
	/* times between which was recorded, in advance: mostly of the first and the last event */
	FARGS_FACT_SPAN = 1 << 9,
	FARGS_FACT_SAMPLES = 1 << 10,	/* samples of perf, or of Intel PT as perf has them */
};

/*
 * Returns 0 if @has contains all facts of @needs. Otherwise returns -EINVAL with a message in @err
 * that names a missing fact. For the message: @who: the option that needs the facts, in quotes.
 * @path: the file of the source. @what: the kind of the file, such as "a perf.data file".
 */
int fargs_facts_check(uint32_t needs, uint32_t has, const char *who, const char *path,
		      const char *what, struct fargs_error_text *err);

#endif
