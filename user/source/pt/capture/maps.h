/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mappings of programs that run when a recording begins: the kernel's records report only those
 * that are made later.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_MAPS_H
#define FARGS_SOURCE_PT_CAPTURE_MAPS_H

#include "base/error.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/task_events.h"

/*
 * Writes an MMAP2 record, at time 0 and with the build ID of its file, for each executable mapping
 * of the processes of @tasks; if it has no tasks, of all processes. Those that have exited or may
 * not be read are left out. Returns 0 or -errno with @err.
 */
int fargs_pt_maps_write(const struct fargs_pt_tasks *tasks, const struct fargs_pt_sink *sink,
			struct fargs_error_text *err);

#endif
