/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table "context_switches".
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_SWITCHES_H
#define FARGS_SINK_EXPORT_PERF_DB_SWITCHES_H

#include "model/event.h"
#include "sink/export/perf_db/tasks.h"
#include "sink/export/perf_db/writer.h"

struct fargs_pdb_switches {
	struct fargs_pdb_writer *w;
	struct fargs_pdb_tasks *tasks;
	int64_t nr;			/* the last id */
};

/* Adds the switch @ev, as perf records it. Returns 0 or -errno. */
int fargs_pdb_switches_add(struct fargs_pdb_switches *s, const struct fargs_event *ev);

#endif
