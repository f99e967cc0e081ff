/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files that commands write; all of them are made here (fargs(1), Output files).
 *
 * A trace has kernel addresses and what programs do in it, and so has whatever is made of one: a
 * new file is its owner's alone (0600). It replaces a regular file of its name, of which nothing
 * is written to: neither the mode of the old one nor another link to it matters. A symbolic link
 * is refused, since somebody else may have left it in a directory that all can write to; those of
 * the path's directories are followed. FIFOs and devices are written to. /dev/stdout, /dev/stderr,
 * /dev/fd/N and /proc/self/fd/N are this process's own descriptors, written to where they stand.
 */
#ifndef FARGS_UTIL_OUTFILE_H
#define FARGS_UTIL_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum fargs_outfile_flags {
	/* It has its name from the start, for who reads it as it grows; else when it is whole. */
	FARGS_OUTFILE_GROWS = 1,
	/* Nothing of that name may be there. Only with GROWS. */
	FARGS_OUTFILE_NEW = 2,
	/* It is to be written at any place: no pipe, and no descriptor that appends. */
	FARGS_OUTFILE_SEEKS = 4,
};

struct fargs_outfile {
	char *path;
	char *temp;	/* its name until it is whole; NULL: it has its own, or is no new file */
	int fd;		/* -1: there is none, or not any more */
	FILE *file;	/* of @fd, once fargs_outfile_stream() was called */
	bool is_new;	/* a regular file that was made here */
};

#define FARGS_OUTFILE_NONE	((struct fargs_outfile){ .fd = -1 })

/*
 * Opens @path for writing. 0, or -errno with one line in @err that names @path; then there is
 * nothing to deinit, but it does no harm.
 */
int fargs_outfile_open(struct fargs_outfile *o, const char *path, unsigned int flags,
		       struct fargs_error_text *err);
/* o->file, which closes the descriptor, too. 0 or -ENOMEM. */
int fargs_outfile_stream(struct fargs_outfile *o);
/*
 * All was written: closes it, and gives it its name. 0 or -errno: what is written last may have
 * failed only now.
 */
int fargs_outfile_finish(struct fargs_outfile *o);
/*
 * Closes it; a new file that was not finished is removed, unless it GROWS. Does nothing where it
 * was never opened, and all is 0.
 */
void fargs_outfile_deinit(struct fargs_outfile *o);
/* The same, and removes a new file that GROWS, too. */
void fargs_outfile_discard(struct fargs_outfile *o);

/*
 * A new directory @path for its owner alone: a descriptor of it, or -errno with @err. What is
 * there is never replaced.
 */
int fargs_outfile_mkdir(const char *path, struct fargs_error_text *err);
/* A new file @name in such a directory; NULL with errno. */
FILE *fargs_outfile_in(int dir, const char *name);

#endif
