/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks have been told of, and by what name.
 */
#ifndef FARGS_EXPORT_TASK_SET_H
#define FARGS_EXPORT_TASK_SET_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

/* Begin with zeroes. */
struct fargs_task_set {
	struct fargs_task_set_entry *entries;
	size_t nr, room;
};

void fargs_task_set_deinit(struct fargs_task_set *set);
/* 1: the task of @ev is new, or has another name than last time; 0; -ENOMEM. */
int fargs_task_set_add(struct fargs_task_set *set, const struct fargs_event *ev);

/* The idle tasks share a number: there is one to a CPU, which this tells apart. */
static inline int64_t fargs_task_id(const struct fargs_event *ev)
{
	return ev->tid ? ev->tid : -1 - (int64_t)ev->cpu;
}

#endif
