/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one -f asks for (or -t, of tracepoints): functions, and what of their calls; or one
 * --under: functions, and a condition; or one --trigger: as -f, of calls that trigger.
 */
#ifndef FARGS_LAYOUT_WISH_H
#define FARGS_LAYOUT_WISH_H

#include <stdbool.h>
#include <stddef.h>

#include "select/codegen/bind.h"
#include "select/syntax/selector.h"
#include "select/resolve/pattern.h"
#include "select/resolve/select.h"

struct fargs_wish {
	struct fargs_selector selector;
	struct fargs_pattern pattern;	/* of its functions */
	unsigned int rank;		/* of several wishes for a function the highest decides */
	bool is_matching;		/* the symbol looked at now */
	size_t nr_picked;
	size_t nr_refused;
	size_t nr_unwanted;
	/* Functions on which it makes sense, but another one, of its rank, decides otherwise. */
	size_t nr_covered;
	const struct fargs_wish *covered_by;	/* the first such one */
	enum fargs_refusal why;		/* of the first one refused */
	struct fargs_mistake mistake;	/* of those on functions: what got furthest */
};

/* -errno with the reason in @err. To be deinitialised in either case. */
int fargs_wish_init(struct fargs_wish *wish, const char *text, struct fargs_error_text *err);
/* The same of a tracepoint. */
int fargs_wish_init_tpoint(struct fargs_wish *wish, const char *text,
			   struct fargs_error_text *err);
/* The same for --under. */
int fargs_wish_init_scope(struct fargs_wish *wish, const char *text,
			  struct fargs_error_text *err);
void fargs_wish_deinit(struct fargs_wish *wish);

/* Turns layouts into such that do what wishes ask for. */
struct fargs_wisher {
	const struct fargs_bind_options *options;
	struct fargs_constants constants;
	struct fargs_bound *bound;
	struct fargs_bound *spare;	/* what @bound was, where a try fails */
	const struct fargs_wish *winner;	/* what decided last; NULL: no types were needed */
};

/* -ENOMEM. @options must outlive it; NULL: the usual ones. */
int fargs_wisher_init(struct fargs_wisher *w, const struct fargs_bind_options *options);
void fargs_wisher_deinit(struct fargs_wisher *w);

/*
 * Replaces the last layout, which is that of @pick: by what the first of @wishes asks for that
 * is_matching and makes sense on the function, those of a higher rank before others. If none
 * does, removes it and sets pick->why. Counts in the wishes. 0 or -ENOMEM.
 */
int fargs_wisher_apply(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		       struct fargs_layouts *layouts, struct fargs_pick *pick);

/* Those of --under and --trigger. */
struct fargs_extras {
	struct fargs_wish *scopes;
	size_t nr_scopes;
	struct fargs_wish *triggers;
	size_t nr_triggers;
};

/*
 * Then, for the @extras that are is_matching: with @is_recorded makes the layout of @pick,
 * which is the last one, do that as well; if not, replaces what there is by a layout for
 * that alone, sets pick->is_silent if no call of it is recorded then, and pick->why if none
 * of them makes sense. Counts in the wishes. 0 or -ENOMEM.
 */
int fargs_wisher_apply_extras(struct fargs_wisher *w, const struct fargs_extras *extras,
			      struct fargs_layouts *layouts, struct fargs_pick *pick,
			      bool is_recorded);

#endif
