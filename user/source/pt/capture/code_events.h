/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects code events from perf records: new kernel code, which must be copied, and unloaded
 * modules. Does no I/O.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_CODE_EVENTS_H
#define FARGS_SOURCE_PT_CAPTURE_CODE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/pt_file.h"

struct fargs_pt_place {
	uint64_t addr;
	uint32_t bytes;
};

/* Initialize with zeroes, except for load_id and free_id. */
struct fargs_pt_code_events {
	/* Ids of the tracepoints module_load and module_free; 0: unknown. */
	uint64_t load_id, free_id;
	struct fargs_file_pt_module *modules;
	size_t nr_modules;
	bool has_loaded;			/* a module was loaded: check for new code */
	struct fargs_pt_place *bpf;	/* BPF programs and their trampolines */
	size_t nr_bpf, room;
};

/*
 * Parses @record, a perf record of size @bytes, and adds its code event, if any, to @code_events.
 * Returns 0, -EIO if the record is malformed, or -ENOMEM.
 */
int fargs_pt_code_events_parse(struct fargs_pt_code_events *code_events, const void *record,
			       size_t bytes);
/* Moves the collected events to @to and empties @code_events. */
void fargs_pt_code_events_move(struct fargs_pt_code_events *code_events,
			       struct fargs_pt_code_events *to);
void fargs_pt_code_events_deinit(struct fargs_pt_code_events *code_events);

#endif
