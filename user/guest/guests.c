// SPDX-License-Identifier: GPL-2.0-only
#include "guest/guests.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sym/ksyms.h"
#include "util/grow.h"

static void set_name(struct fargs_guest *guest, const char *name)
{
	/* The kernel's names end with a NUL within their bytes. */
	size_t n = strnlen(name, FARGS_COMM_LEN - 1);

	memcpy(guest->name, name, n);
	guest->name[n] = '\0';
}

int fargs_guests_add(struct fargs_guests *all, pid_t pid, const char *name,
		     struct fargs_ksyms *syms)
{
	struct fargs_guest guest = { .pid = pid, .syms = syms }, *larger;
	size_t i;

	if (!pid)
		set_name(&guest, name);
	for (i = 0; i < all->nr; i++)
		if (all->guests[i].pid == pid && !strcmp(all->guests[i].name, guest.name)) {
			fargs_ksyms_destroy(all->guests[i].syms);
			all->guests[i].syms = syms;
			return 0;
		}
	larger = fargs_grow(all->guests, all->nr, sizeof(*larger));
	if (!larger) {
		fargs_ksyms_destroy(syms);
		return -ENOMEM;
	}
	all->guests = larger;
	larger[all->nr++] = guest;
	return 0;
}

void fargs_guests_deinit(struct fargs_guests *all)
{
	while (all->nr)
		fargs_ksyms_destroy(all->guests[--all->nr].syms);
	free(all->guests);
	all->guests = NULL;
}

/* How well it fits: 0, if not at all. */
static int rank(const struct fargs_guest *guest, const struct fargs_guest_task *task)
{
	if (guest->pid)
		return guest->pid == (task->tgid < 0 ? task->tid : task->tgid) ? 4 : 0;
	if (!guest->name[0])
		return 1;
	if (task->process && !strcmp(guest->name, task->process))
		return 3;
	/* A thread may be called after the guest, or its process not be known. */
	return task->comm && !strcmp(guest->name, task->comm) ? 2 : 0;
}

const struct fargs_ksyms *fargs_guests_find(const struct fargs_guests *all,
					    const struct fargs_guest_task *task)
{
	const struct fargs_ksyms *found = NULL;
	int best = 0, this;
	size_t i;

	for (i = 0; i < all->nr; i++) {
		this = rank(&all->guests[i], task);
		if (this > best) {
			best = this;
			found = all->guests[i].syms;
		}
	}
	return found;
}
