/* SPDX-License-Identifier: GPL-2.0-only */
/* What one FARGS_IOC_ADD has in hands, and whether its functions may have their layouts. */
#ifndef FARGS_ADD_CHECK_H
#define FARGS_ADD_CHECK_H

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

/*
 * Finds out, under session->call_lock, which of them can be added: work->order, and the status
 * of the others. Asks ftrace without session->lock: the work must be in session->adding. 0, or
 * -errno with the reason.
 */
int fargs_add_check(struct fargs_session *session, struct fargs_add_work *work,
		    struct fargs_refusal *refusal);
/* From the notifier of @mod, under session->lock, while the work is in session->adding. */
void fargs_add_forget(struct fargs_add_work *work, const struct module *mod, bool is_init_only);
/*
 * Then, under session->lock until they are in the session: takes those out that were forgotten,
 * and looks at tracepoints. 0, or -errno with the reason; unless FARGS_ADD_SKIP, also for what
 * cannot be added.
 */
int fargs_add_recheck(const struct fargs_session *session, struct fargs_add_work *work,
		      const struct fargs_add *add, struct fargs_refusal *refusal);

#endif
