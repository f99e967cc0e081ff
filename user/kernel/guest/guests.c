// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/guest/guests.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sym/ksyms.h"
#include "uapi/fargs_record.h"

/* Are the names equal? As in a comm, only the first FARGS_COMM_LEN - 1 bytes count. */
static bool is_name(const char *a, const char *b)
{
	return !strncmp(a, b, FARGS_COMM_LEN - 1);
}

static void drop(struct fargs_guests *all, size_t i)
{
	fargs_ksyms_destroy(all->guests[i].syms);
	free(all->guests[i].name);
	memmove(&all->guests[i], &all->guests[i + 1], (all->nr - i - 1) * sizeof(*all->guests));
	all->nr--;
}

static bool is_replaced(const struct fargs_guest *old, pid_t pid, const char *name)
{
	if (pid)
		return old->pid == pid;
	return old->pid ? *name && !strcmp(old->name, name) : is_name(old->name, name);
}

int fargs_guests_add(struct fargs_guests *all, pid_t pid, const char *name,
		     struct fargs_ksyms *syms)
{
	struct fargs_guest *larger = NULL;
	char *copy = strdup(name);
	size_t i;

	for (i = 0; i < all->nr;)
		if (is_replaced(&all->guests[i], pid, name))
			drop(all, i);
		else
			i++;
	/* Do not use fargs_grow(): it derives the capacity from nr, which may have decreased. */
	if (copy)
		larger = realloc(all->guests, (all->nr + 1) * sizeof(*larger));
	if (!larger) {
		free(copy);
		fargs_ksyms_destroy(syms);
		return -ENOMEM;
	}
	all->guests = larger;
	larger[all->nr++] = (struct fargs_guest){ .pid = pid, .name = copy, .syms = syms };
	return 0;
}

struct fargs_ksyms *fargs_guests_get(const struct fargs_guests *all, pid_t pid, const char *name)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (all->guests[i].pid == pid && !strcmp(all->guests[i].name, name))
			return all->guests[i].syms;
	return NULL;
}

void fargs_guests_deinit(struct fargs_guests *all)
{
	while (all->nr)
		drop(all, all->nr - 1);
	free(all->guests);
	all->guests = NULL;
}

/* Returns how well @guest matches @task; 0: not at all. */
static int rank(const struct fargs_guest *guest, const struct fargs_guest_task *task)
{
	if (guest->pid)
		return guest->pid == (task->tgid < 0 ? task->tid : task->tgid) ? 4 : 0;
	if (!guest->name[0])
		return 1;
	if (task->process && is_name(guest->name, task->process))
		return 3;
	/*
	 * Also compare the thread's name: it may be the guest's name while the name of the process
	 * is unknown.
	 */
	return task->comm && is_name(guest->name, task->comm) ? 2 : 0;
}

const struct fargs_ksyms *fargs_guests_find(const struct fargs_guests *all,
					    const struct fargs_guest_task *task)
{
	const struct fargs_ksyms *found = NULL;
	int best = 0, this;
	size_t i;

	for (i = 0; i < all->nr; i++) {
		this = rank(&all->guests[i], task);
		/*
		 * Threads that process different events may set is_met at the same time. No
		 * ordering is needed, because is_met is used only after these threads have ended.
		 */
		if (this && !__atomic_load_n(&all->guests[i].is_met, __ATOMIC_RELAXED))
			__atomic_store_n(&all->guests[i].is_met, true, __ATOMIC_RELAXED);
		if (this > best) {
			best = this;
			found = all->guests[i].syms;
		}
	}
	return found;
}
