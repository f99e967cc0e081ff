/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints that report loaded and unloaded modules.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_TRACEPOINTS_H
#define FARGS_SOURCE_PT_CAPTURE_TRACEPOINTS_H

#include <stddef.h>
#include <stdint.h>

/* Number of tracepoints: module_load and module_free. */
#define FARGS_PT_TRACEPOINTS	2

struct fargs_pt_tracepoints {
	uint64_t load_id, free_id;	/* 0: not found */
	uint64_t ids[FARGS_PT_TRACEPOINTS];	/* those that were found */
	size_t nr;
};

/*
 * Finds the ids of module_load and module_free. Without tracefs, code of modules that are loaded
 * during the recording is missing, which the decoder reports.
 */
void fargs_pt_tracepoints_find(struct fargs_pt_tracepoints *tracepoints);

#endif
