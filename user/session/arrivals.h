/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of a session that come with their modules: which ones are waited for, and
 * their addresses once they are there.
 *
 * The module is asked for them after a ring was read and before what was read is used:
 * so a function is known before its first record is.
 */
#ifndef FARGS_CTL_ARRIVALS_H
#define FARGS_CTL_ARRIVALS_H

#include <stddef.h>
#include <stdint.h>

#include "select/resolve/late.h"
#include "model/meta.h"
#include "base/error.h"

/* Begin with zeroes. */
struct fargs_awaited {
	struct fargs_func *funcs;	/* by the number that the module gave them; no address */
	size_t nr;
	uint64_t next;			/* number of the next arrival to ask for */
};

/* What came at one time. */
struct fargs_arrived {
	struct fargs_func *funcs;	/* names are those of the awaited ones */
	size_t nr;
	const struct fargs_func *stale;	/* one whose module is of another build; NULL: none */
	size_t nr_refused;		/* the module came, but they cannot be traced */
};

/* Adds deferred layouts of @late to the session @fd, once. -errno with the reason. */
int fargs_awaited_add(struct fargs_awaited *awaited, int fd, struct fargs_late *late,
		      struct fargs_error_text *err);
void fargs_awaited_deinit(struct fargs_awaited *awaited);

/* Asks for what came since the last time, and adds it to @meta. To be deinitialised if 0. */
int fargs_awaited_take(struct fargs_awaited *awaited, int fd, struct fargs_meta *meta,
		       struct fargs_arrived *arrived, struct fargs_error_text *err);
void fargs_arrived_deinit(struct fargs_arrived *arrived);

#endif
