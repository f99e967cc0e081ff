/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred layouts of a session. Their functions are looked up when the module is loaded: for the
 * first time (FARGS_LAYOUT_DEFERRED), or again (FARGS_LAYOUT_RELOAD). Only ADD adds deferred
 * layouts, with both session->call_lock and session->lock held. Readers hold one of the two locks.
 * Process context.
 */
#ifndef FARGS_KMOD_SESSION_DEFERRED_H
#define FARGS_KMOD_SESSION_DEFERRED_H

#include <linux/types.h>

#include "session/arrivals.h"
#include "uapi/fargs.h"

struct fargs_arena;
struct fargs_layout;
struct fargs_session;
struct fargs_symbol;
struct fargs_template;

struct fargs_deferred {
	const struct fargs_symbol *symbol;
	const char *name;		/* name of the function; points into @symbol */
	struct fargs_template *template;
	enum fargs_path path;
	u32 number;			/* number of the layout; see fargs_arrival.layout */
	/*
	 * fargs_arrival.ip and fargs_arrival.tsc of the last arrival. Before the first arrival, @ip
	 * is the address that ADD found (FARGS_LAYOUT_RELOAD) or 0, and @from_tsc is 0.
	 */
	u64 ip, from_tsc;
};

/* The deferred layouts of a session. */
struct fargs_deferreds {
	struct fargs_deferred *layouts;	/* sorted by module, function and index */
	u32 nr;
	u32 nr_return;			/* number of layouts with FARGS_PATH_RETURN */
	u32 return_body_bytes;		/* largest fargs_ret_body_bytes() of a template */
	struct fargs_arrival_list arrivals;	/* arrivals that user space has not fetched yet */
};

/* Deferred layouts to be added, from their verification to the end of one ADD. */
struct fargs_deferred_add {
	struct fargs_layout **layouts;	/* the caller's layouts, sorted by fargs_deferred_mark() */
	u32 nr;
	/* Holds the symbols of the layouts, and the templates of those without an address. */
	struct fargs_arena *arena;
	struct fargs_deferred *merged;	/* will replace fargs_deferreds.layouts */
};

/**
 * fargs_deferred_mark() - reject layouts whose function already has one
 * @session: the session
 * @add: the layouts to be added
 *
 * Sets the status of layouts whose function already has a deferred layout, in the session or
 * earlier in the batch. Ignores layouts that have a status.
 *
 * Context: Process context. Expects session->call_lock held.
 */
void fargs_deferred_mark(const struct fargs_session *session, struct fargs_deferred_add *add);

/**
 * fargs_deferred_prepare() - allocate memory for the layouts that have no status
 * @session: the session
 * @add: the layouts to be added; those with a status are removed
 * @nr: set to the number of layouts left that have no address
 *
 * The caller must then call either fargs_deferred_commit() or fargs_deferred_cancel().
 *
 * Context: Process context. Expects session->call_lock held.
 * Return: 0 or -ENOMEM.
 */
int fargs_deferred_prepare(const struct fargs_session *session, struct fargs_deferred_add *add,
			   u32 *nr);

/**
 * fargs_deferred_commit() - add the prepared layouts to the session
 * @session: the session, which already has the functions of layouts with an address
 * @add: the layouts to be added, except those whose status was set after they were prepared
 *
 * Sets fargs_layout.ip of each layout to its fargs_deferred.number or, if the layout has an
 * address, sets fargs_layout.number.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 */
void fargs_deferred_commit(struct fargs_session *session, struct fargs_deferred_add *add);

/**
 * fargs_deferred_cancel() - free the memory allocated by fargs_deferred_prepare()
 * @add: the layouts to be added
 *
 * Context: Process context.
 */
void fargs_deferred_cancel(struct fargs_deferred_add *add);

/**
 * fargs_deferred_deinit() - free the deferred layouts of a session
 * @deferreds: the deferred layouts of a session that is being destroyed
 *
 * Symbols and templates are not freed here, but with the session's arenas.
 *
 * Context: Process context.
 */
void fargs_deferred_deinit(struct fargs_deferreds *deferreds);

#endif
