/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --guest, --guest-kallsyms and --guestmount: where to find symbols of guests.
 */
#ifndef FARGS_CMD_OPTIONS_GUEST_H
#define FARGS_CMD_OPTIONS_GUEST_H

#include <stddef.h>
#include <sys/types.h>

#include "cmd/options/parse.h"
#include "kernel/guest/guests.h"

enum fargs_guest_option_kind {
	FARGS_GUEST_ONE,	/* --guest NAME|PID=FILE[,modules=FILE] */
	FARGS_GUEST_ANY,	/* --guest-kallsyms FILE[,modules=FILE], for all other guests */
	FARGS_GUEST_MOUNT,	/* --guestmount DIR, with DIR/PID/proc/kallsyms for each guest */
};

struct fargs_guest_option {
	enum fargs_guest_option_kind kind;
	pid_t pid;		/* pid of the guest's process; 0: @name identifies it */
	char *name;
	char *path;
	char *modules;		/* file with the guest's modules; NULL: not given */
};

/* Initialize with zeroes. */
struct fargs_guest_options {
	struct fargs_guest_option *options;
	size_t nr;
};

/* Options that set members of struct fargs_guest_options. */
extern const struct fargs_option fargs_guest_option_table[];
void fargs_guest_options_deinit(struct fargs_guest_options *o);
/* Returns the first of the options that were given, as in "'--guest'"; NULL: none was. */
const char *fargs_guest_options_name(const struct fargs_guest_options *o);

/*
 * Reads the symbols of all guests into @guests. Reports unreadable files on stderr; addresses in
 * guests without symbols are shown as numbers. @proc: mount point of procfs, where guests given by
 * their QEMU names are looked up. A name that is not found there, or any name if @proc is NULL, is
 * considered the name of a process. Returns 0 or -ENOMEM.
 */
int fargs_guest_options_read(const struct fargs_guest_options *o, const char *proc,
			     struct fargs_guests *guests);

/* Reports on stderr each --guest that matched no event. Call after all events were shown. */
void fargs_guest_options_tell(const struct fargs_guests *guests);

#endif
