/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Creates all files that commands write (fargs(1), section "Output files").
 *
 * Traces, and files derived from them, contain kernel addresses and details of programs. New files
 * are therefore created with mode 0600, except those of FARGS_OUTFILE_PUBLIC. An existing regular
 * file is replaced, never written to, so that neither its mode nor its other hard links matter. A
 * symbolic link is refused, because somebody else may have left it in a world-writable directory;
 * symbolic links among the path's directories are followed. FIFOs and devices are written to.
 * /dev/stdout, /dev/stderr, /dev/fd/N and /proc/self/fd/N name descriptors of this process, which
 * are written to at their current position.
 */
#ifndef FARGS_BASE_OUTFILE_H
#define FARGS_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum fargs_outfile_flags {
	/*
	 * The file has its final name from the start, for readers that follow it. Without this
	 * flag, it is renamed to that name once complete.
	 */
	FARGS_OUTFILE_GROWS = 1,
	/* Fail if the file exists. Valid only together with FARGS_OUTFILE_GROWS. */
	FARGS_OUTFILE_NEW = 2,
	/* The file is written at arbitrary offsets: refuse pipes, and descriptors with O_APPEND. */
	FARGS_OUTFILE_SEEKS = 4,
	/* Mode 0644, for files without addresses and values. Not with FARGS_OUTFILE_GROWS. */
	FARGS_OUTFILE_PUBLIC = 8,
};

struct fargs_outfile {
	char *path;
	char *temp;	/* path of the file until it is renamed to @path; NULL: none */
	int fd;		/* -1: closed, or not opened */
	FILE *file;	/* stream that owns @fd; NULL before fargs_outfile_stream() */
	bool is_new;	/* created by us, not a FIFO, device or descriptor */
};

#define FARGS_OUTFILE_NONE	((struct fargs_outfile){ .fd = -1 })

/*
 * Opens @path for writing. Returns 0, or -errno with one line in @err that names @path. After an
 * error, @o need not be deinitialised, but may be.
 */
int fargs_outfile_open(struct fargs_outfile *o, const char *path, unsigned int flags,
		       struct fargs_error_text *err);
/* Creates o->file, a stream that owns the descriptor from then on. Returns 0 or -ENOMEM. */
int fargs_outfile_stream(struct fargs_outfile *o);
/*
 * Call when everything is written: closes the file and renames it to its final name. Returns 0 or
 * -errno, also for errors of delayed writes.
 */
int fargs_outfile_finish(struct fargs_outfile *o);
/*
 * Closes the file. A new file that was not finished is removed, unless FARGS_OUTFILE_GROWS is set.
 * Does nothing on a zeroed struct.
 */
void fargs_outfile_deinit(struct fargs_outfile *o);
/* Like fargs_outfile_deinit(), but removes an unfinished new file even with FARGS_OUTFILE_GROWS. */
void fargs_outfile_discard(struct fargs_outfile *o);

/*
 * Creates a file without a name for intermediate data: in the directory of @o if @o is a new file,
 * otherwise in $TMPDIR or /tmp. Returns a descriptor for reading and writing, or -errno with @err.
 */
int fargs_outfile_scratch(const struct fargs_outfile *o, struct fargs_error_text *err);

/*
 * Creates the directory @path with mode 0700. Never replaces an existing directory. Returns a
 * descriptor for it, or -errno with @err.
 */
int fargs_outfile_mkdir(const char *path, struct fargs_error_text *err);
/* The same for the directory @name in the directory that descriptor @dir refers to. */
int fargs_outfile_mkdir_in(int dir, const char *name, struct fargs_error_text *err);
/*
 * Creates the file @name in the directory that descriptor @dir refers to. Fails if the name exists.
 * Returns NULL with errno on error.
 */
FILE *fargs_outfile_in(int dir, const char *name);

#endif
