/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace file that is written while it is shown: waits for what is to come, until the recorder
 * has ended it, a signal came, or nobody reads standard output any more.
 */
#ifndef FARGS_GROWING_H
#define FARGS_GROWING_H

#include <stdbool.h>

#include "session/signals.h"
#include "file/reader.h"
#include "cmd/report/records.h"
#include "base/error.h"

struct fargs_growing {
	struct fargs_signals signals;
	bool is_over;		/* asked to end */
};

/* -errno with @err. */
int fargs_growing_init(struct fargs_growing *g, struct fargs_error_text *err);
void fargs_growing_deinit(struct fargs_growing *g);

/*
 * Waits until there is enough of @path to decode by, and opens it. NULL: with the reason, which is
 * empty if it is_over before there was anything.
 */
struct fargs_reader *fargs_growing_open(struct fargs_growing *g, const char *path,
					struct fargs_meta *meta, struct fargs_error_text *err);

/* For struct fargs_report_options. */
struct fargs_report_follow fargs_growing_follow(struct fargs_growing *g);

#endif
