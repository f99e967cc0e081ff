/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address filters of an Intel PT recording, which limit the trace to ranges of code. The syntax is
 * that of perf record --filter:
 *
 *	filter|start|stop|tracestop START [/ SIZE] [@OBJECT]
 *
 * START is an address (in an object: an offset in the file) or a symbol, SIZE a number of bytes or
 * the symbol whose end is the end of the range. '#N' after a symbol chooses the Nth of its name,
 * '#g' a global one. START '*' is the whole kernel or object.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_FILTER_H
#define FARGS_SOURCE_PT_CAPTURE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"

#define FARGS_PT_FILTER_ANY	(-1)	/* the only symbol of its name */
#define FARGS_PT_FILTER_GLOBAL	0	/* the only global one */

struct fargs_pt_filter_symbol {
	char *name;		/* NULL: a number is given instead */
	int nth;		/* from 1 on, or one of the above */
};

struct fargs_pt_filter {
	const char *action;	/* as the kernel calls it: "filter", "start" or "stop" */
	bool is_range;		/* otherwise a single address */
	uint64_t addr, bytes;
	struct fargs_pt_filter_symbol from, to;
	char *object;		/* NULL: the kernel */
};

/* Initialize with zeroes. */
struct fargs_pt_filters {
	struct fargs_pt_filter *all;
	size_t nr;
};

/* Adds the filters in @text. Returns 0; -EINVAL with the reason in @err; or -ENOMEM. */
int fargs_pt_filters_parse(struct fargs_pt_filters *filters, const char *text,
			   struct fargs_error_text *err);
/*
 * Adds ranges, at most @max, that together contain all functions whose addresses are the @nr
 * elements of @addrs, by symbols in @ks. Functions with little code between them share a range.
 * Sets *@nr_bytes to the size of all ranges. Returns 0 or -errno with @err.
 */
int fargs_pt_filters_add_functions(struct fargs_pt_filters *filters, const uint64_t *addrs,
				   size_t nr, size_t max, const struct fargs_ksyms *ks,
				   uint64_t *nr_bytes, struct fargs_error_text *err);
/*
 * Replaces symbols by addresses, and paths of objects by absolute ones. @ks: NULL if the kernel's
 * symbols are unknown. Returns 0; or -errno with @err, which lists symbols of the same name.
 */
int fargs_pt_filters_resolve(struct fargs_pt_filters *filters, const struct fargs_ksyms *ks,
			     struct fargs_error_text *err);
/*
 * Returns the resolved filters as PERF_EVENT_IOC_SET_FILTER expects them, and as perf stores them.
 * The caller frees the text. NULL: out of memory.
 */
char *fargs_pt_filters_text(const struct fargs_pt_filters *filters);
void fargs_pt_filters_deinit(struct fargs_pt_filters *filters);

#endif
