/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the chunks of a recording of Intel PT go (pt/pt_file.h).
 */
#ifndef FARGS_PT_SINK_H
#define FARGS_PT_SINK_H

#include <stdbool.h>
#include <sys/uio.h>

#include "file/pt_file.h"
#include "base/error.h"

struct fargs_pt_sink {
	/*
	 * Takes a chunk of @kind, whose payload is @iov[0] and @iov[1]. @is_late: there is more
	 * than can be read in time, so no effort is to be made. 0 or -errno with @err.
	 */
	int (*chunk)(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		     bool is_late, struct fargs_error_text *err);
	void *arg;
};

#endif
