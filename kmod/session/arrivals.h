/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What became of deferred layouts, until it was asked for. Under session->lock; process
 * context.
 */
#ifndef FARGS_KMOD_SESSION_ARRIVALS_H
#define FARGS_KMOD_SESSION_ARRIVALS_H

#include <linux/types.h>

#include "uapi/fargs.h"

struct fargs_refusal;

struct fargs_arrival_list {
	struct fargs_arrival *arrivals;
	u64 first;		/* the number of the first one there */
	u32 nr;
	u32 room;
};

/**
 * fargs_arrival_list_deinit() - forget all arrivals
 * @list: the arrivals
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_arrival_list_deinit(struct fargs_arrival_list *list);

/**
 * fargs_arrival_list_room() - make room for more arrivals
 * @list: the arrivals
 * @nr: how many
 *
 * Context: Process context. Expects session->lock held.
 * Return: Where they are to be written, after the others; NULL if there is no memory.
 */
struct fargs_arrival *fargs_arrival_list_room(struct fargs_arrival_list *list, u32 nr);

/**
 * fargs_arrival_list_append() - add the arrivals that were written there
 * @list: the arrivals
 * @nr: how many
 *
 * Context: Process context. Expects session->lock held.
 */
void fargs_arrival_list_append(struct fargs_arrival_list *list, u32 nr);

/**
 * fargs_arrival_list_take() - copy arrivals, and forget those before them
 * @list: the arrivals
 * @first: number of the first one to be copied
 * @to: set to the copy, to be freed by kvfree(), or to NULL
 * @nr: how many at most; set to how many they are
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. Expects session->lock held.
 * Return: 0 or -errno, with the reason in @refusal.
 */
int fargs_arrival_list_take(struct fargs_arrival_list *list, u64 first, struct fargs_arrival **to,
			    u32 *nr, struct fargs_refusal *refusal);

#endif
