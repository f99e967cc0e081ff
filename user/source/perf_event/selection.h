/* SPDX-License-Identifier: GPL-2.0-only */
/* The events selected by -e and --filter. */
#ifndef FARGS_SOURCE_PERF_EVENT_SELECTION_H
#define FARGS_SOURCE_PERF_EVENT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/tracefs.h"
#include "model/meta.h"

struct fargs_missing;

/* An option -e with its filters. */
struct fargs_event_rule {
	const char *text;	/* "SYSTEM:EVENT"; both may be globs */
	char *filter;		/* filter in the syntax of tracefs; NULL: none */
};

struct fargs_event_rules {
	struct fargs_event_rule *rules;
	size_t nr;
};

/* Adds an option -e; @text must remain valid. Returns 0 or -errno with @err. */
int fargs_event_rules_add(struct fargs_event_rules *w, const char *text,
			  struct fargs_error_text *err);
/*
 * Adds a --filter to the last -e. If an -e has several filters, all of them must hold. Returns 0 or
 * -errno with @err.
 */
int fargs_event_rules_filter(struct fargs_event_rules *w, const char *filter,
			     struct fargs_error_text *err);
void fargs_event_rules_deinit(struct fargs_event_rules *w);

struct fargs_event_match {
	const struct fargs_tracefs_event *event;
	const char *filter;	/* NULL: none */
	uint64_t id;
	bool is_exact;		/* selected by its exact name, not by a glob */
};

struct fargs_event_selection {
	const char *dir;	/* directory where tracefs is mounted */
	struct fargs_tracefs_events all;
	/*
	 * The matching events, without duplicates. If several -e match an event, the filter of the
	 * first one is used.
	 */
	struct fargs_event_match *matches;
	size_t nr;
};

/*
 * Finds the events that @w selects; @w must outlive @c. @missing: NULL: a selector without events
 * is an error. The caller must deinitialize @c even on failure. Returns 0 or -errno with @err.
 */
int fargs_event_selection_init(struct fargs_event_selection *c, const struct fargs_event_rules *w,
			       struct fargs_missing *missing, struct fargs_error_text *err);
/* Adds the formats of the selected events to @meta. Returns 0 or -errno with @err. */
int fargs_event_selection_describe(const struct fargs_event_selection *c, struct fargs_meta *meta,
				   struct fargs_error_text *err);
void fargs_event_selection_deinit(struct fargs_event_selection *c);

#endif
