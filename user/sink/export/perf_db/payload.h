/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of PTWRITE and power events: their numbers.
 */
#ifndef FARGS_SINK_EXPORT_PERF_DB_PAYLOAD_H
#define FARGS_SINK_EXPORT_PERF_DB_PAYLOAD_H

#include "model/event.h"
#include "sink/export/perf_db/writer.h"

/* Adds what @ev, which has the id @sample, reports, if there is a table for it. */
int fargs_pdb_payload_add(struct fargs_pdb_writer *w, const struct fargs_event *ev,
			  int64_t sample);

#endif
