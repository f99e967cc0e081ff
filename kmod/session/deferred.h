/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred layouts of a session: for functions of modules that are not loaded. ADD alone adds
 * some, and is alone by session->call_lock; commit, and whoever reads them outside of it, hold
 * session->lock. Process context.
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
	const char *name;		/* of the function, in symbol; as the module is */
	struct fargs_template *template;
	enum fargs_path path;
	u32 number;			/* what arrivals call it */
	u64 ip, from_tsc;		/* of its last arrival; 0: it was never there */
};

/* Of a session. */
struct fargs_deferreds {
	struct fargs_deferred *layouts;	/* by module, function and index */
	u32 nr;
	u32 nr_return;			/* of them, with FARGS_LAYOUT_RETURN */
	u32 return_body_bytes;		/* the most that a call of one of these keeps */
	struct fargs_arrival_list arrivals;	/* what became of them */
};

/* Layouts to be added, from their verification to the end of one ADD. */
struct fargs_deferred_add {
	struct fargs_layout **layouts;	/* given by the caller, and put into order */
	u32 nr;
	struct fargs_arena *arena;	/* of their templates and names */
	struct fargs_deferred *merged;	/* what the session will have */
};

/**
 * fargs_deferred_mark() - find layouts to be added that the session has already
 * @session: the session
 * @add: the layouts to be added
 *
 * Or that an earlier one of the call is already: these get a status.
 *
 * Context: Process context. Expects session->call_lock held.
 */
void fargs_deferred_mark(const struct fargs_session *session, struct fargs_deferred_add *add);

/**
 * fargs_deferred_prepare() - make what the session needs of those without a status
 * @session: the session
 * @add: the layouts to be added
 * @nr: set to how many they are
 *
 * Then one of fargs_deferred_commit() and fargs_deferred_cancel().
 *
 * Context: Process context. Expects session->call_lock held.
 * Return: 0 or -ENOMEM.
 */
int fargs_deferred_prepare(const struct fargs_session *session, struct fargs_deferred_add *add,
			   u32 *nr);

/**
 * fargs_deferred_commit() - give the session what was prepared
 * @session: the session
 * @add: the layouts to be added
 *
 * The layouts get their numbers, into fargs_layout.ip.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 */
void fargs_deferred_commit(struct fargs_session *session, struct fargs_deferred_add *add);

/**
 * fargs_deferred_cancel() - free what was prepared
 * @add: the layouts to be added
 *
 * Context: Process context.
 */
void fargs_deferred_cancel(struct fargs_deferred_add *add);

/**
 * fargs_deferred_deinit() - free the deferred layouts of a session
 * @deferreds: of a session that ends
 *
 * Their templates are in the session's batches.
 *
 * Context: Process context.
 */
void fargs_deferred_deinit(struct fargs_deferreds *deferreds);

#endif
