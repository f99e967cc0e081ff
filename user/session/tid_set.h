/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of task ids: a bitmap of all ids that a kernel can assign.
 */
#ifndef FARGS_SESSION_TID_SET_H
#define FARGS_SESSION_TID_SET_H

#include <stddef.h>
#include <sys/types.h>

struct fargs_tid_set;

/* Creates an empty set. Returns NULL if there is no memory. */
struct fargs_tid_set *fargs_tid_set_create(void);
void fargs_tid_set_destroy(struct fargs_tid_set *set);

/* Adds @tid, unless it is not a valid id. */
void fargs_tid_set_add(struct fargs_tid_set *set, pid_t tid);
void fargs_tid_set_clear(struct fargs_tid_set *set);
/* Returns the smallest member >= @from, or -1 if there is none. */
pid_t fargs_tid_set_next(const struct fargs_tid_set *set, pid_t from);
size_t fargs_tid_set_count(const struct fargs_tid_set *set);

#endif
