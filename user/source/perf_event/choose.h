/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that -e and --filter choose.
 */
#ifndef FARGS_EVENT_CHOOSE_H
#define FARGS_EVENT_CHOOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/tracefs.h"
#include "model/meta.h"

/* One -e, with its filters. */
struct fargs_event_wish {
	const char *text;	/* SYSTEM:EVENT, each a glob */
	char *filter;		/* as tracefs has them; NULL: none */
};

struct fargs_event_wishes {
	struct fargs_event_wish *wishes;
	size_t nr;
};

/* One -e: keeps @text. -errno with the reason. */
int fargs_event_wishes_add(struct fargs_event_wishes *w, const char *text,
			   struct fargs_error_text *err);
/* One --filter, for the -e before it; a second one holds as well. -errno with the reason. */
int fargs_event_wishes_filter(struct fargs_event_wishes *w, const char *filter,
			      struct fargs_error_text *err);
void fargs_event_wishes_deinit(struct fargs_event_wishes *w);

struct fargs_event_pick {
	const struct fargs_tracefs_event *event;
	const char *filter;	/* NULL: none */
	uint64_t id;
	bool is_exact;		/* asked for by its name, not by a glob */
};

struct fargs_event_choice {
	const char *dir;	/* of tracefs */
	struct fargs_tracefs_events all;
	struct fargs_event_pick *picks;	/* each event once, as the first -e says that matches */
	size_t nr;
};

/* Finds them. -errno; to be deinitialised in either case. @w must outlive it. */
int fargs_event_choice_init(struct fargs_event_choice *c, const struct fargs_event_wishes *w,
			    struct fargs_error_text *err);
/* Puts their formats into @meta. -errno. */
int fargs_event_choice_describe(const struct fargs_event_choice *c, struct fargs_meta *meta,
				struct fargs_error_text *err);
void fargs_event_choice_deinit(struct fargs_event_choice *c);

#endif
