/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of task ids: a bitmap of all ids that a kernel can assign.
 */
#ifndef FARGS_SESSION_TID_SET_H
#define FARGS_SESSION_TID_SET_H

#include <stddef.h>
#include <sys/types.h>

struct fargs_tid_set;

/* Creates an empty set. NULL: no memory. */
struct fargs_tid_set *fargs_tid_set_create(void);
void fargs_tid_set_destroy(struct fargs_tid_set *set);

/* Ignores invalid ids. */
void fargs_tid_set_add(struct fargs_tid_set *set, pid_t tid);
void fargs_tid_set_clear(struct fargs_tid_set *set);
/* The smallest member >= @from, or -1. */
pid_t fargs_tid_set_next(const struct fargs_tid_set *set, pid_t from);
size_t fargs_tid_set_count(const struct fargs_tid_set *set);

#endif
