/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrivals of deferred layouts (struct fargs_arrival), kept until user space has fetched them.
 */
#ifndef FARGS_KMOD_SESSION_ARRIVALS_H
#define FARGS_KMOD_SESSION_ARRIVALS_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;

struct fargs_arrival_list {
	struct fargs_arrival *arrivals;
	u64 first;		/* sequence number of @arrivals[0] */
	u32 nr;
	u32 room;
};

/**
 * fargs_arrival_list_deinit() - free all arrivals
 * @list: the arrivals of a session that is being destroyed
 *
 * Context: Process context.
 */
void fargs_arrival_list_deinit(struct fargs_arrival_list *list);

/**
 * fargs_arrival_list_room() - make room for more arrivals
 * @list: the arrivals
 * @nr: number of arrivals to be added
 *
 * Context: Process context. Expects session->lock held.
 * Return: Where to write the new arrivals; NULL if there is no memory.
 */
struct fargs_arrival *fargs_arrival_list_room(struct fargs_arrival_list *list, u32 nr);

/**
 * fargs_arrival_list_append() - add arrivals written by the caller
 * @list: the arrivals
 * @nr: number of arrivals that the caller has written
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_arrival_list_append(struct fargs_arrival_list *list, u32 nr);

/**
 * fargs_arrival_list_take() - copy arrivals, and remove earlier ones
 * @list: the arrivals
 * @first: sequence number of the first arrival to copy; earlier ones are removed
 * @to: set to the copy, to be freed by kvfree(), or to NULL
 * @nr: maximum number of arrivals to copy; set to the number copied
 * @refusal: filled in if the call is refused
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_arrival_list_take(struct fargs_arrival_list *list, u64 first, struct fargs_arrival **to,
			    u32 *nr, struct fargs_refusal *refusal);

#endif
