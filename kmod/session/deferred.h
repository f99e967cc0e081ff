/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred layouts of a session: for functions of modules that are not loaded. Under
 * session->lock; process context.
 */
#ifndef FARGS_DEFERRED_H
#define FARGS_DEFERRED_H

#include <linux/types.h>

#include "session/arrivals.h"
#include "uapi/fargs.h"

struct fargs_batch;
struct fargs_layout;
struct fargs_session;
struct fargs_symbol;
struct fargs_template;

struct fargs_deferred {
	const struct fargs_symbol *symbol;
	const char *name;		/* of the function, in symbol; as the module is */
	const struct fargs_template *template;
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
	struct fargs_batch *batch;	/* of their templates and names */
	struct fargs_deferred *merged;	/* what the session will have */
};

/* Marks (status) those of add->layouts that the session, or an earlier one, is already. */
void fargs_deferred_mark(const struct fargs_session *session, struct fargs_deferred_add *add);
/*
 * Makes what the session needs of those without a status, *@nr of them. 0 or
 * -ENOMEM. Then one of:
 */
int fargs_deferred_prepare(const struct fargs_session *session, struct fargs_deferred_add *add,
			   u32 *nr);
/* The session gets them, and they their numbers, into fargs_layout.ip. */
void fargs_deferred_commit(struct fargs_session *session, struct fargs_deferred_add *add);
void fargs_deferred_cancel(struct fargs_deferred_add *add);

/* At the end of the session. Their templates are in its batches. */
void fargs_deferred_deinit(struct fargs_deferreds *deferreds);

#endif
