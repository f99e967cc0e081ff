/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one -f asks for: functions, and what of their calls.
 */
#ifndef FARGS_LAYOUT_WISH_H
#define FARGS_LAYOUT_WISH_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/bind.h"
#include "expr/selector.h"
#include "layout/pattern.h"
#include "layout/select.h"

struct fargs_wish {
	struct fargs_selector selector;
	struct fargs_pattern pattern;	/* of its functions */
	bool is_matching;		/* the symbol looked at now */
	size_t nr_picked;
	size_t nr_refused;
	size_t nr_unwanted;
	enum fargs_refusal why;		/* of the first one refused */
	struct fargs_mistake mistake;	/* of those on functions: what got furthest */
};

/* -errno with the reason in @err. To be deinitialised in either case. */
int fargs_wish_init(struct fargs_wish *wish, const char *text, struct fargs_error_text *err);
void fargs_wish_deinit(struct fargs_wish *wish);

/* Turns layouts into such that do what wishes ask for. */
struct fargs_wisher {
	const struct fargs_bind_options *options;
	struct fargs_constants constants;
	struct fargs_bound *bound;
};

/* -ENOMEM. @options must outlive it; NULL: the usual ones. */
int fargs_wisher_init(struct fargs_wisher *w, const struct fargs_bind_options *options);
void fargs_wisher_deinit(struct fargs_wisher *w);

/*
 * Replaces the last layout, which is that of @pick: by what the first of @wishes asks for that
 * is_matching and makes sense on the function, exact names before globs. If none
 * does, removes it and sets pick->why. Counts in the wishes. 0 or -ENOMEM.
 */
int fargs_wisher_apply(struct fargs_wisher *w, struct fargs_wish *wishes, size_t nr,
		       struct fargs_layouts *layouts, struct fargs_pick *pick);

#endif
