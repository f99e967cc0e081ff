/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rebuilds a complete trace file from one that was cut off or damaged.
 */
#ifndef FARGS_FILE_RECOVER_H
#define FARGS_FILE_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What there was to recover. */
struct fargs_recovery {
	bool was_whole;		/* nothing was missing, nothing was written */
	uint64_t nr_chunks;	/* chunks copied */
	uint64_t end;		/* end of the last of them in the old file */
	uint64_t left_out;	/* bytes of the old file not copied */
	uint64_t bytes;		/* size of the new file */
};

/*
 * Copies every whole chunk of @path to @out and completes the file. @out is replaced, or must not
 * exist with @is_new; @path is not changed. Returns 0, or -errno with @err and no @out.
 */
int fargs_recover(const char *path, const char *out, bool is_new, struct fargs_recovery *result,
		  struct fargs_error_text *err);

#endif
