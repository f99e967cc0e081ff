/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes readings of the TSC and CLOCK_MONOTONIC (FARGS_CHUNK_PT_CLOCK), for JIT compilers' dumps.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_MONO_H
#define FARGS_SOURCE_PT_CAPTURE_MONO_H

#include "source/pt/capture/sink.h"

struct fargs_pt_mono_writer {
	uint64_t last_ns;	/* when was written last; 0: not yet */
};

/* Writes a reading now, if the clocks can be read. Returns 0 or -errno with @err. */
int fargs_pt_mono_write(struct fargs_pt_mono_writer *w, const struct fargs_pt_sink *sink,
			struct fargs_error_text *err);
/* The same, unless the last one is less than a second old. */
int fargs_pt_mono_update(struct fargs_pt_mono_writer *w, const struct fargs_pt_sink *sink,
			 struct fargs_error_text *err);

#endif
