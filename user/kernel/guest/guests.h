/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The guests of KVM whose symbols are known, and which of them a task runs: the one of its
 * process.
 */
#ifndef FARGS_GUEST_GUESTS_H
#define FARGS_GUEST_GUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct fargs_ksyms;

struct fargs_guest {
	pid_t pid;	/* of its process; 0: any of that name */
	char *name;	/* of its process; "": any, if pid is 0; with a pid: as asked for */
	struct fargs_ksyms *syms;
	bool is_asked;	/* an option names this one: whether it is met is to be said */
	bool is_met;	/* an event's task was of it; __atomic */
};

/* Begins with zeroes. */
struct fargs_guests {
	struct fargs_guest *guests;
	size_t nr;
};

/* Who a task is. */
struct fargs_guest_task {
	pid_t tid;
	pid_t tgid;		/* -1: not known */
	const char *comm;	/* NULL: not known */
	const char *process;	/* what the first thread of its process is called; the same */
};

/*
 * Adds a guest, and takes @syms, also if there is no memory for it. What was known of the same
 * process, or without @pid of the same name, is given up. -ENOMEM.
 */
int fargs_guests_add(struct fargs_guests *all, pid_t pid, const char *name,
		     struct fargs_ksyms *syms);
void fargs_guests_deinit(struct fargs_guests *all);
/* Those that were added so; NULL: none. */
struct fargs_ksyms *fargs_guests_get(const struct fargs_guests *all, pid_t pid, const char *name);

/*
 * By the number of its process, else by name, of which as much counts as a task's name can have,
 * else any. NULL: nothing is known of it.
 */
const struct fargs_ksyms *fargs_guests_find(const struct fargs_guests *all,
					    const struct fargs_guest_task *task);

#endif
