/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Awaited functions of a session: functions of modules that are not loaded yet, or that may be
 * unloaded and loaded again; and their arrivals, that is, their addresses once the module is
 * loaded. Arrivals are read from fargs.ko after a ring was read and before its records are used, so
 * that a function is known before its first record is decoded.
 */
#ifndef FARGS_SESSION_ARRIVALS_H
#define FARGS_SESSION_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"
#include "select/resolve/deferred.h"

/* Initialize with zeroes. */
struct fargs_awaited {
	/*
	 * The awaited functions, indexed by the layout numbers that the module assigned. Their
	 * addresses are not set. A name is NULL if the module has rejected a layout.
	 */
	struct fargs_func *funcs;
	size_t nr;
	bool has_tpoints;		/* tracepoints have arrivals */
	uint64_t next;			/* sequence number of the next arrival to read */
	/*
	 * Name of the last module reported as another build, and the time of its last arrival;
	 * NULL: none.
	 */
	const char *stale;
	uint64_t stale_tsc;
};

/* The arrivals of one call of fargs_awaited_take(). */
struct fargs_arrived {
	/* Functions of loaded modules; struct fargs_awaited owns the names. */
	struct fargs_func *funcs;
	size_t nr;
	/* Modules that, when loaded, had another build ID than expected. */
	const char **stale;
	size_t nr_stale;
	/* Number of functions and tracepoints found untraceable when their module was loaded. */
	size_t nr_refused;
};

/*
 * Makes room for the functions of @nr more layouts. To be called before the module assigns their
 * numbers. Returns 0, or -errno with the reason.
 */
int fargs_awaited_reserve(struct fargs_awaited *awaited, size_t nr, struct fargs_error_text *err);
/*
 * Registers @match, a function of a loaded module, as awaited: it arrives again if the module is
 * loaded again. @layout: its layout, with the number that the module assigned. Returns 0, or -errno
 * with the reason.
 */
int fargs_awaited_note(struct fargs_awaited *awaited, const struct fargs_match *match,
		       const struct fargs_layout *layout, struct fargs_error_text *err);
/*
 * Adds the layouts in @deferred to the session with descriptor @fd; to be called once. Returns 0,
 * or -errno with the reason.
 */
int fargs_awaited_add(struct fargs_awaited *awaited, int fd, struct fargs_deferred *deferred,
		      struct fargs_error_text *err);
void fargs_awaited_deinit(struct fargs_awaited *awaited);

/*
 * Reads new arrivals and adds them to @meta. Returns 0 or -errno; on success the caller calls
 * fargs_arrived_deinit().
 */
int fargs_awaited_take(struct fargs_awaited *awaited, int fd, struct fargs_meta *meta,
		       struct fargs_arrived *arrived, struct fargs_error_text *err);
void fargs_arrived_deinit(struct fargs_arrived *arrived);

#endif
