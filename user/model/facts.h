/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a source knows about its events, and what a sink needs to know. Which sink works with which
 * source follows from comparing the two.
 */
#ifndef FARGS_MODEL_FACTS_H
#define FARGS_MODEL_FACTS_H

#include <stdint.h>

#include "base/error.h"

/* Bits of a set of facts. */
enum fargs_fact {
	FARGS_FACT_EVENTS = 1 << 0,	/* events of fargs_source_ops.event() */
	FARGS_FACT_RAW = 1 << 1,	/* records as the recorder wrote them */
	FARGS_FACT_TYPES = 1 << 2,	/* types of values, from BTF */
	FARGS_FACT_CALLS = 1 << 3,	/* calls of functions */
	FARGS_FACT_NESTING = 1 << 4,	/* a call and its return are two events */
	FARGS_FACT_FORMATTED = 1 << 5,	/* events that the kernel describes in tracefs */
	FARGS_FACT_COUNTERS = 1 << 6,	/* how many events the recorder should have written */
	FARGS_FACT_NS_TIDS = 1 << 7,	/* tids of tasks in their own pid namespaces */
	FARGS_FACT_GROWS = 1 << 8,	/* the recording can be read while it is being written */
	FARGS_FACT_LINES = 1 << 9,	/* single lines, which a dlfilter can drop */
	FARGS_FACT_ALL = 1 << 10,	/* no option limits the report to a part of the events */
	FARGS_FACTS_NR = 11,
};

/*
 * Fails if @has lacks a fact of @needs: "WHO needs FACT: WHAT has none". @who: an option in quotes;
 * @what: the source, like "'x' is a perf.data file". Returns 0, or -EINVAL with @err.
 */
int fargs_facts_check(uint32_t needs, uint32_t has, const char *who, const char *what,
		      struct fargs_error_text *err);

#endif
