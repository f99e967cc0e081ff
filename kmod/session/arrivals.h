/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of deferred layouts, until it was asked for. Under session->lock; process
 * context.
 */
#ifndef FARGS_ARRIVALS_H
#define FARGS_ARRIVALS_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;

struct fargs_arrival_list {
	struct fargs_arrival *arrivals;
	u64 first;		/* the number of the first one there */
	u32 nr;
	u32 room;
};

void fargs_arrival_list_deinit(struct fargs_arrival_list *list);

/* Where @nr more are to be written, behind the others; NULL: no memory. */
struct fargs_arrival *fargs_arrival_list_room(struct fargs_arrival_list *list, u32 nr);
/* They have been. */
void fargs_arrival_list_append(struct fargs_arrival_list *list, u32 nr);

/*
 * Copies up to *@nr arrivals from number @first on to @to, and forgets those before.
 * *@nr: how many. 0 or -errno with the reason.
 */
int fargs_arrival_list_take(struct fargs_arrival_list *list, u64 first, struct fargs_arrival **to,
			    u32 *nr, struct fargs_refusal *refusal);

#endif
