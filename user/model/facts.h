/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a source knows about its events, and what a sink or an option needs to know. Whether they go
 * together is found by comparing the two.
 */
#ifndef FARGS_MODEL_FACTS_H
#define FARGS_MODEL_FACTS_H

#include <stdint.h>

#include "base/error.h"

/* Bits of a set of facts. */
enum fargs_fact {
	FARGS_FACT_TIMES = 1 << 0,	/* the times of all events */
	FARGS_FACT_CPUS = 1 << 1,	/* the CPUs of all events */
	FARGS_FACT_RAW = 1 << 2,	/* values as they were recorded, without BTF and symbols */
	FARGS_FACT_TYPES = 1 << 3,	/* the types of values, from BTF */
	FARGS_FACT_NESTING = 1 << 4,	/* calls and their returns as two events */
	FARGS_FACT_FORMATTED = 1 << 5,	/* events that the kernel describes in tracefs */
	FARGS_FACT_NS_TIDS = 1 << 6,	/* tids in the tasks' own pid namespaces */
	FARGS_FACT_COUNTERS = 1 << 7,	/* the recorder's numbers of records and losses */
	FARGS_FACT_GROWTH = 1 << 8,	/* events that are added while the source is read */
};

/*
 * Fails if @has lacks a fact of @needs. @who: an option, in quotes; @path: the file of the source,
 * which is @what, such as "a perf.data file". Returns 0, or -EINVAL with @err.
 */
int fargs_facts_check(uint32_t needs, uint32_t has, const char *who, const char *path,
		      const char *what, struct fargs_error_text *err);

#endif
