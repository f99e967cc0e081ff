/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KVM guests with known symbols. A task belongs to the guest of its process.
 */
#ifndef FARGS_KERNEL_GUEST_GUESTS_H
#define FARGS_KERNEL_GUEST_GUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct fargs_ksyms;

struct fargs_guest {
	pid_t pid;	/* of the guest's process; 0: identified by name */
	char *name;	/* if pid is 0, of its process, or "": any; else as given by the user */
	struct fargs_ksyms *syms;
	bool is_asked;	/* given by an option: report if it did not occur */
	bool is_met;	/* a task of an event belonged to it; __atomic */
};

/* To be zeroed before use. */
struct fargs_guests {
	struct fargs_guest *guests;
	size_t nr;
};

/* Identity of a task. */
struct fargs_guest_task {
	pid_t tid;
	pid_t tgid;		/* -1: unknown */
	const char *comm;	/* NULL: unknown */
	const char *process;	/* name of its process's main thread; NULL: unknown */
};

/*
 * Adds a guest and takes ownership of @syms, also on failure. Replaces guests of the same process,
 * or without @pid of the same name. -ENOMEM.
 */
int fargs_guests_add(struct fargs_guests *all, pid_t pid, const char *name,
		     struct fargs_ksyms *syms);
void fargs_guests_deinit(struct fargs_guests *all);
/* Symbols of the guest added with the same @pid and @name; NULL: none. */
struct fargs_ksyms *fargs_guests_get(const struct fargs_guests *all, pid_t pid, const char *name);

/*
 * Finds the guest of a task: by its process's pid, else by name, of which as many bytes count as a
 * comm can have, else the one for any task. NULL: none.
 */
const struct fargs_ksyms *fargs_guests_find(const struct fargs_guests *all,
					    const struct fargs_guest_task *task);

#endif
