/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred functions of a session: which ones wait for their module, and their addresses once it is
 * loaded. Arrivals are read from the module after a ring was read and before its records are used,
 * so that a function is known before its first record is decoded.
 */
#ifndef FARGS_SESSION_ARRIVALS_H
#define FARGS_SESSION_ARRIVALS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"
#include "select/resolve/deferred.h"

/* To be zeroed before use. */
struct fargs_awaited {
	struct fargs_func *funcs;	/* indexed by the module's layout number; no addresses */
	size_t nr;
	uint64_t next;			/* sequence number of the next arrival to read */
};

/* The arrivals of one call of fargs_awaited_take(). */
struct fargs_arrived {
	struct fargs_func *funcs;	/* names belong to struct fargs_awaited */
	size_t nr;
	const struct fargs_func *stale;	/* its module is of another build; NULL: none */
	size_t nr_refused;		/* module loaded, but function not traceable */
};

/*
 * Adds the deferred layouts of @deferred to the session @fd; to be called once. -errno with the
 * reason.
 */
int fargs_awaited_add(struct fargs_awaited *awaited, int fd, struct fargs_deferred *deferred,
		      struct fargs_error_text *err);
void fargs_awaited_deinit(struct fargs_awaited *awaited);

/* Reads new arrivals and adds them to @meta. If it returns 0, @arrived is to be deinitialized. */
int fargs_awaited_take(struct fargs_awaited *awaited, int fd, struct fargs_meta *meta,
		       struct fargs_arrived *arrived, struct fargs_error_text *err);
void fargs_arrived_deinit(struct fargs_arrived *arrived);

#endif
