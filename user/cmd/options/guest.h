/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --guest, --guest-kallsyms and --guestmount: where the symbols of guests are.
 */
#ifndef FARGS_GUEST_OPTIONS_H
#define FARGS_GUEST_OPTIONS_H

#include <stddef.h>
#include <sys/types.h>

#include "kernel/guest/guests.h"
#include "base/error.h"

enum fargs_guest_option_kind {
	FARGS_GUEST_ONE,	/* NAME|PID=FILE[,modules=FILE] */
	FARGS_GUEST_ANY,	/* FILE[,modules=FILE], of all that no other option names */
	FARGS_GUEST_MOUNT,	/* DIR, in which PID/proc/kallsyms are, as perf-kvm(1) has them */
};

struct fargs_guest_option {
	enum fargs_guest_option_kind kind;
	pid_t pid;		/* as in struct fargs_guest */
	char *name;
	char *path;
	char *modules;		/* NULL: not given */
};

/* Begins with zeroes. */
struct fargs_guest_options {
	struct fargs_guest_option *options;
	size_t nr;
};

/* What such an option was given; -errno with the reason. */
int fargs_guest_options_add(struct fargs_guest_options *o, enum fargs_guest_option_kind kind,
			    const char *text, struct fargs_error_text *err);
void fargs_guest_options_deinit(struct fargs_guest_options *o);

/*
 * Reads all of them into @guests, and says of each that cannot be read, on stderr, why: its
 * addresses stay numbers. @proc: where the processes are whose guests QEMU gave a name; NULL:
 * names are those of processes. -ENOMEM.
 */
int fargs_guest_options_read(const struct fargs_guest_options *o, const char *proc,
			     struct fargs_guests *guests);

/* When all events were shown: says, on stderr, of which --guest there was none. */
void fargs_guest_options_tell(const struct fargs_guests *guests);

#endif
