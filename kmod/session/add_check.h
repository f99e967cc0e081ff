/* SPDX-License-Identifier: GPL-2.0-only */
/* What one FARGS_IOC_ADD has in hands, and whether its functions may have their layouts. */
#ifndef FARGS_KMOD_SESSION_ADD_CHECK_H
#define FARGS_KMOD_SESSION_ADD_CHECK_H

#include <linux/types.h>

#include "session/deferred.h"
#include "session/tpoint.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

struct fargs_refusal;
struct fargs_session;
struct module;

/* While one call runs. */
struct fargs_add_work {
	u8 *layouts;		/* the copy */
	u32 nr;
	u64 *at;		/* of each layout, its offset in the copy */
	unsigned long *ips;
	unsigned long *gone;	/* bit of each layout: its module went, or came, meanwhile */
	u32 *order;		/* of those to be added that have an address, sorted by ip */
	u32 nr_added;		/* of them */
	struct fargs_deferred_add deferred;
	struct fargs_tpoint_add tpoints;
};

static inline struct fargs_layout *fargs_add_layout(const struct fargs_add_work *work, u32 i)
{
	return (struct fargs_layout *)(work->layouts + work->at[i]);
}

static inline bool fargs_add_is_tpoint(const struct fargs_layout *layout)
{
	return layout->flags & FARGS_LAYOUT_TPOINT;
}

/* Is it for a function that is to come? */
static inline bool fargs_add_is_deferred(const struct fargs_layout *layout)
{
	return (layout->flags & FARGS_LAYOUT_DEFERRED) && !fargs_add_is_tpoint(layout);
}

/* Is it for a function that is there? */
static inline bool fargs_add_has_addr(const struct fargs_layout *layout)
{
	return !(layout->flags & (FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_TPOINT));
}

/**
 * fargs_add_check() - find out which layouts of a call can be added
 * @session: the session
 * @work: the ADD that is at work
 * @refusal: where the reason of a refusal is noted
 *
 * They are then in work->order; the others have a status. Asks ftrace without session->lock: @work
 * must be in session->adding.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_add_check(struct fargs_session *session, struct fargs_add_work *work,
		    struct fargs_refusal *refusal);

/**
 * fargs_add_forget() - a module takes its functions out of a call
 * @work: which is in session->adding
 * @mod: the module
 * @is_init_only: only those in its init memory
 *
 * Context: Process context, from the notifier of the module. Expects session->lock held.
 */
void fargs_add_forget(struct fargs_add_work *work, const struct module *mod, bool is_init_only);

/**
 * fargs_add_recheck() - take out of a call what has changed since fargs_add_check()
 * @session: the session
 * @work: the ADD that is at work
 * @add: the call's argument
 * @refusal: where the reason of a refusal is noted
 *
 * Functions that were forgotten, or that came meanwhile; and tracepoints are looked for. What it
 * has found holds until session->lock is released.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 * Return: 0, or -errno with the reason in @refusal; unless FARGS_ADD_SKIP, also for what cannot
 *	be added.
 */
int fargs_add_recheck(const struct fargs_session *session, struct fargs_add_work *work,
		      const struct fargs_add *add, struct fargs_refusal *refusal);

#endif
