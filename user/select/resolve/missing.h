/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors that select nothing on this kernel, because what they name does not exist or cannot be
 * traced. That is an error, or they are skipped: then a script can list the functions of several
 * kernels.
 */
#ifndef FARGS_SELECT_RESOLVE_MISSING_H
#define FARGS_SELECT_RESOLVE_MISSING_H

#include <stdbool.h>
#include <stddef.h>

/* Initialize with zeroes. */
struct fargs_missing {
	bool is_ok;		/* skip such selectors */
	bool has_failed;	/* not @is_ok: such a selector is the reason of the last error */
	char **texts;		/* the skipped selectors, each once, as "'vfs_raed'" */
	size_t nr;
};

/*
 * Adds @selector to those that are skipped. @why: why it cannot be traced; NULL: it does not exist.
 * Returns 0 or -ENOMEM.
 */
int fargs_missing_add(struct fargs_missing *missing, const char *selector, const char *why);
/* Returns all selectors that are skipped, as "'a', 'b'", for free(); NULL if out of memory. */
char *fargs_missing_text(const struct fargs_missing *missing);
void fargs_missing_deinit(struct fargs_missing *missing);

#endif
