/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rebuilds a complete trace file from one that was cut off or damaged.
 */
#ifndef FARGS_FILE_RECOVER_H
#define FARGS_FILE_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Result of recovering a file. */
struct fargs_recovery {
	bool was_whole;		/* nothing was missing, so nothing was written */
	uint64_t nr_chunks;	/* number of chunks copied */
	uint64_t end;		/* offset in the old file after the last chunk copied */
	uint64_t left_out;	/* number of bytes of the old file that were not copied */
	uint64_t bytes;		/* size of the new file */
};

/*
 * Copies every whole chunk of @path, which is not changed, to a complete new file @out. An existing
 * @out is replaced or, with @is_new, is an error. Returns 0, or -errno with @err and without
 * creating @out.
 */
int fargs_recover(const char *path, const char *out, bool is_new, struct fargs_recovery *result,
		  struct fargs_error_text *err);

#endif
