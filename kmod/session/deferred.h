/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred layouts of a session: for functions of modules that need not be loaded yet. Only ADD
 * adds some, with session->call_lock held; fargs_deferred_commit() holds session->lock as well.
 * Readers hold one of the two. Process context.
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
	const char *name;		/* of the function; points into symbol */
	struct fargs_template *template;
	enum fargs_path path;
	u32 number;			/* fargs_arrival.layout */
	u64 ip, from_tsc;		/* of its last arrival; 0: it never arrived */
};

/* The deferred layouts of a session. */
struct fargs_deferreds {
	struct fargs_deferred *layouts;	/* sorted by module, function and index */
	u32 nr;
	u32 nr_return;			/* those with FARGS_LAYOUT_RETURN */
	u32 return_body_bytes;		/* largest fargs_ret_body_bytes() of these */
	struct fargs_arrival_list arrivals;	/* not fetched yet */
};

/* Deferred layouts to be added, from their verification to the end of one ADD. */
struct fargs_deferred_add {
	struct fargs_layout **layouts;	/* of the caller; sorted by fargs_deferred_mark() */
	u32 nr;
	struct fargs_arena *arena;	/* holds their symbols and templates */
	struct fargs_deferred *merged;	/* the session's layouts once they are added */
};

/**
 * fargs_deferred_mark() - reject layouts that the session already has
 * @session: the session
 * @add: the layouts to be added
 *
 * Sets the status of those that the session, or an earlier layout of the call, already has.
 *
 * Context: Process context. Expects session->call_lock held.
 */
void fargs_deferred_mark(const struct fargs_session *session, struct fargs_deferred_add *add);

/**
 * fargs_deferred_prepare() - allocate memory for the layouts that have no status
 * @session: the session
 * @add: the layouts to be added; those with a status are removed
 * @nr: set to how many are left
 *
 * Followed by either fargs_deferred_commit() or fargs_deferred_cancel().
 *
 * Context: Process context. Expects session->call_lock held.
 * Return: 0 or -ENOMEM.
 */
int fargs_deferred_prepare(const struct fargs_session *session, struct fargs_deferred_add *add,
			   u32 *nr);

/**
 * fargs_deferred_commit() - add the prepared layouts to the session
 * @session: the session
 * @add: the layouts to be added
 *
 * Sets fargs_layout.ip of each to the number of the deferred layout.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 */
void fargs_deferred_commit(struct fargs_session *session, struct fargs_deferred_add *add);

/**
 * fargs_deferred_cancel() - free what fargs_deferred_prepare() has allocated
 * @add: the layouts to be added
 *
 * Context: Process context.
 */
void fargs_deferred_cancel(struct fargs_deferred_add *add);

/**
 * fargs_deferred_deinit() - free the deferred layouts of a session
 * @deferreds: the deferred layouts of a session that is being destroyed
 *
 * Their symbols and templates are in the session's arenas and are freed with these.
 *
 * Context: Process context.
 */
void fargs_deferred_deinit(struct fargs_deferreds *deferreds);

#endif
