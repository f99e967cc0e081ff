/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All records of a trace file, of all CPUs, in the order of their time.
 */
#ifndef FARGS_FILE_REPLAY_H
#define FARGS_FILE_REPLAY_H

#include "file/reader.h"
#include "ring/merge.h"

/*
 * Calls @fn for each record. Holds about two chunks of each CPU. Returns 0,
 * what @fn returned if not 0, or -errno with @err for a file that is corrupt.
 */
int fargs_replay(struct fargs_reader *r, unsigned int nr_cpus, fargs_merge_fn fn, void *arg,
		 struct fargs_error_text *err);

#endif
