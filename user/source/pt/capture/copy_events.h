/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes to a recording what code events report: unloaded modules, and copies of new code.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_COPY_EVENTS_H
#define FARGS_SOURCE_PT_CAPTURE_COPY_EVENTS_H

#include "base/error.h"
#include "source/pt/capture/code_events.h"
#include "source/pt/capture/copy.h"
#include "source/pt/capture/sink.h"

/*
 * Handles the events that @code_events contains now, and removes them. The work that is done during
 * copies may add new ones. @copy: NULL if the kernel's code is not recorded; the events are then
 * only removed. Returns 0 or -errno with @err.
 */
int fargs_pt_copy_code_events(struct fargs_pt_copy *copy, struct fargs_pt_code_events *code_events,
			      const struct fargs_pt_sink *sink, struct fargs_error_text *err);

#endif
