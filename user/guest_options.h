/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --guest and --guest-kallsyms: where the symbols of guests are.
 */
#ifndef FARGS_GUEST_OPTIONS_H
#define FARGS_GUEST_OPTIONS_H

#include <stddef.h>
#include <sys/types.h>

#include "guest/guests.h"
#include "util/error.h"

struct fargs_guest_option {
	pid_t pid;		/* as in struct fargs_guest */
	char *name;
	const char *path;
};

/* Begins with zeroes. */
struct fargs_guest_options {
	struct fargs_guest_option *options;
	size_t nr;
};

/* NAME=FILE or PID=FILE. Keeps @text. -errno with the reason. */
int fargs_guest_options_add(struct fargs_guest_options *o, const char *text,
			    struct fargs_error_text *err);
/* The file of all that no other option names. Keeps @path. -errno with the reason. */
int fargs_guest_options_add_any(struct fargs_guest_options *o, const char *path,
				struct fargs_error_text *err);
void fargs_guest_options_deinit(struct fargs_guest_options *o);

/*
 * Reads all of them into @guests, and says of each that cannot be read, on stderr, why: its
 * addresses stay numbers. -ENOMEM.
 */
int fargs_guest_options_read(const struct fargs_guest_options *o, struct fargs_guests *guests);

#endif
