/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KVM guests whose kernel symbols are known. A task of the host belongs to a guest if it is a
 * thread of the guest's process.
 */
#ifndef FARGS_KERNEL_GUEST_GUESTS_H
#define FARGS_KERNEL_GUEST_GUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct fargs_ksyms;

struct fargs_guest {
	pid_t pid;	/* pid of the guest's process; 0: the guest is identified by name */
	/*
	 * If pid is 0: the name of the guest's process, or "", which matches any process.
	 * Otherwise: the name that the user gave.
	 */
	char *name;
	struct fargs_ksyms *syms;
	bool is_asked;	/* given by an option: fargs reports if no event belongs to it */
	bool is_met;	/* the task of an event belonged to the guest; accessed with __atomic */
};

/* Must be zeroed before use. */
struct fargs_guests {
	struct fargs_guest *guests;
	size_t nr;
};

/* Identity of a task, to find its guest. */
struct fargs_guest_task {
	pid_t tid;
	pid_t tgid;		/* -1: unknown */
	const char *comm;	/* NULL: unknown */
	const char *process;	/* name of the process's main thread; NULL: unknown */
};

/*
 * Adds a guest, and takes ownership of @syms even on failure. Replaces guests with the same @pid
 * or, if @pid is 0, with the same @name. Returns 0 or -ENOMEM.
 */
int fargs_guests_add(struct fargs_guests *all, pid_t pid, const char *name,
		     struct fargs_ksyms *syms);
void fargs_guests_deinit(struct fargs_guests *all);
/* Returns the symbols of the guest that was added with the same @pid and @name, or NULL. */
struct fargs_ksyms *fargs_guests_get(const struct fargs_guests *all, pid_t pid, const char *name);

/*
 * Returns the symbols of the guest that @task belongs to: the guest with its process's pid, or else
 * with its name (as many bytes as fit into a comm), or else the guest for any process. Returns NULL
 * if there is none.
 */
const struct fargs_ksyms *fargs_guests_find(const struct fargs_guests *all,
					    const struct fargs_guest_task *task);

#endif
