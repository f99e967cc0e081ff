/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a trace file that was cut off or damaged, a whole one.
 */
#ifndef FARGS_FILE_RECOVER_H
#define FARGS_FILE_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* What there was to recover. */
struct fargs_recovery {
	bool was_whole;		/* nothing was missing: nothing was written */
	uint64_t nr_chunks;	/* that were taken over */
	uint64_t end;		/* of the last of them, in the file that was cut off */
	uint64_t left_out;	/* bytes in front of that, and behind it, that were not */
	uint64_t bytes;		/* of the new file */
};

/*
 * Writes every whole chunk of @path into @out, as it is, and what a recording ends
 * with. @out is replaced, or with @is_new must not be there; @path stays as it is.
 * 0; -errno with @err, and then there is no @out.
 */
int fargs_recover(const char *path, const char *out, bool is_new, struct fargs_recovery *result,
		  struct fargs_error_text *err);

#endif
