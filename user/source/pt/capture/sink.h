/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interface to write the chunks of an Intel PT recording (file/pt_file.h).
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_SINK_H
#define FARGS_SOURCE_PT_CAPTURE_SINK_H

#include <stdbool.h>
#include <sys/uio.h>

#include "base/error.h"
#include "file/pt_file.h"

struct fargs_pt_sink {
	/*
	 * Writes a chunk of @kind with the payload @iov[0] and @iov[1]. @is_lagging: more than half
	 * of the CPU's AUX buffer was unread, so the chunk should be written as fast as possible,
	 * without compression. Returns 0 or -errno with @err.
	 */
	int (*chunk)(void *arg, unsigned int kind, unsigned int cpu, const struct iovec iov[2],
		     bool is_lagging, struct fargs_error_text *err);
	void *arg;
};

#endif
