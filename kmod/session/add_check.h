/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of one FARGS_IOC_ADD, and the checks of its layouts. */
#ifndef FARGS_KMOD_SESSION_ADD_CHECK_H
#define FARGS_KMOD_SESSION_ADD_CHECK_H

#include <linux/types.h>

#include "layout/layout.h"
#include "session/deferred.h"
#include "session/tpoint.h"
#include "uapi/fargs.h"
#include "uapi/fargs_layout.h"

struct fargs_refusal;
struct fargs_session;
struct module;

/*
 * State of one FARGS_IOC_ADD; exists only during the ioctl. Arrays have @nr elements unless stated
 * otherwise.
 */
struct fargs_add_work {
	u8 *layouts;		/* copy of the caller's layouts */
	u32 nr;
	u64 *at;		/* offset of each layout in @layouts */
	unsigned long *ips;	/* fentry address of each layout's function */
	unsigned long *gone;	/* bitmap: fargs_add_forget() sets bit i to exclude layout i */
	u32 *order;		/* indexes of layouts to add, sorted by ip; @nr_added elements */
	u32 nr_added;
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

/* Is the layout's function looked up by its name when its module is loaded, now or later? */
static inline bool fargs_add_is_deferred(const struct fargs_layout *layout)
{
	return (layout->flags & FARGS_LAYOUT_NAMED) && !fargs_add_is_tpoint(layout);
}

/*
 * Is the layout for a function that exists now, at layout->addr? True also for FARGS_LAYOUT_RELOAD.
 */
static inline bool fargs_add_has_addr(const struct fargs_layout *layout)
{
	return !(layout->flags & (FARGS_LAYOUT_DEFERRED | FARGS_LAYOUT_TPOINT));
}

/**
 * fargs_add_check() - find the layouts that can be added
 * @session: the session
 * @work: state of the ADD
 * @refusal: filled in if the call is refused
 *
 * Stores in work->order the layouts that have an address and can be added. Sets the status of
 * layouts that cannot be added. ftrace is queried without session->lock, so session->adding must be
 * @work.
 *
 * Context: Process context. Expects session->call_lock held; takes session->lock.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_add_check(struct fargs_session *session, struct fargs_add_work *work,
		    struct fargs_refusal *refusal);

/**
 * fargs_add_forget() - exclude a module's functions from an ADD
 * @work: state of the ADD, in session->adding
 * @mod: the module
 * @is_init_only: only functions in its init memory
 *
 * Context: Process context, from a module notifier. Expects session->lock held.
 */
void fargs_add_forget(struct fargs_add_work *work, const struct module *mod, bool is_init_only);

/**
 * fargs_add_recheck() - exclude layouts that can no longer be added
 * @session: the session
 * @work: state of the ADD
 * @add: argument of the ioctl
 * @refusal: filled in if the call is refused
 *
 * Excludes functions marked by fargs_add_forget(), and functions that were added for a deferred
 * layout since fargs_add_check(). Looks up tracepoints. The result is valid until session->lock is
 * released.
 *
 * Context: Process context. Expects session->call_lock and session->lock held.
 * Return: 0, or -errno with the reason in @refusal. Without FARGS_ADD_SKIP, a layout that cannot
 *	be added is an error.
 */
int fargs_add_recheck(const struct fargs_session *session, struct fargs_add_work *work,
		      const struct fargs_add *add, struct fargs_refusal *refusal);

#endif
