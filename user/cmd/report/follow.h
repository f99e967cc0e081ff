/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows a trace file while it is written: waits for more data until the recorder finishes it, a
 * signal arrives, or the reader of standard output is gone.
 */
#ifndef FARGS_CMD_REPORT_FOLLOW_H
#define FARGS_CMD_REPORT_FOLLOW_H

#include <stdbool.h>

#include "base/error.h"
#include "file/reader.h"
#include "pipeline/pipeline.h"
#include "session/signals.h"

struct fargs_file_follow {
	struct fargs_signals signals;
	bool is_over;		/* a signal arrived, or the reader of stdout is gone */
};

/* Returns 0, or -errno with @err. */
int fargs_file_follow_init(struct fargs_file_follow *g, struct fargs_error_text *err);
void fargs_file_follow_deinit(struct fargs_file_follow *g);

/*
 * Waits until the file @path contains enough to decode events, and opens it. Returns NULL with the
 * reason in @err; the reason is empty if @g->is_over was set while waiting.
 */
struct fargs_reader *fargs_file_follow_open(struct fargs_file_follow *g, const char *path,
					    struct fargs_meta *meta, struct fargs_error_text *err);

/* Returns the hooks for the member follow of struct fargs_pipeline_options. */
struct fargs_pipeline_follow fargs_file_follow_hooks(struct fargs_file_follow *g);

#endif
