/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that -e and --filter choose.
 */
#ifndef FARGS_SOURCE_PERF_EVENT_SELECTION_H
#define FARGS_SOURCE_PERF_EVENT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/tracefs.h"
#include "model/meta.h"

/* One -e, with its filters. */
struct fargs_event_rule {
	const char *text;	/* SYSTEM:EVENT, each a glob */
	char *filter;		/* as tracefs has them; NULL: none */
};

struct fargs_event_rules {
	struct fargs_event_rule *rules;
	size_t nr;
};

/* One -e: keeps @text. -errno with the reason. */
int fargs_event_rules_add(struct fargs_event_rules *w, const char *text,
			  struct fargs_error_text *err);
/* One --filter, for the -e before it; a second one holds as well. -errno with the reason. */
int fargs_event_rules_filter(struct fargs_event_rules *w, const char *filter,
			     struct fargs_error_text *err);
void fargs_event_rules_deinit(struct fargs_event_rules *w);

struct fargs_event_match {
	const struct fargs_tracefs_event *event;
	const char *filter;	/* NULL: none */
	uint64_t id;
	bool is_exact;		/* asked for by its name, not by a glob */
};

struct fargs_event_selection {
	const char *dir;	/* of tracefs */
	struct fargs_tracefs_events all;
	/* Each event once, with the first -e that matches it. */
	struct fargs_event_match *matches;
	size_t nr;
};

/* Finds them. -errno; to be deinitialised in either case. @w must outlive it. */
int fargs_event_selection_init(struct fargs_event_selection *c, const struct fargs_event_rules *w,
			       struct fargs_error_text *err);
/* Puts their formats into @meta. -errno. */
int fargs_event_selection_describe(const struct fargs_event_selection *c, struct fargs_meta *meta,
				   struct fargs_error_text *err);
void fargs_event_selection_deinit(struct fargs_event_selection *c);

#endif
