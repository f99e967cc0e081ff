/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that a recording of Intel PT consists of, as perf_event_open(2) wants them.
 */
#ifndef FARGS_PT_ATTR_H
#define FARGS_PT_ATTR_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "source/pt/capture/pmu.h"
#include "source/pt/capture/terms.h"

/* The tail of each record, of both rings. */
#define FARGS_PT_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* Intel PT itself; wakes who polls when @aux_watermark bytes came. All are opened disabled. */
void fargs_pt_attr_trace(struct perf_event_attr *attr, const struct fargs_pt_pmu *pmu,
			 const struct fargs_pt_terms *terms, uint32_t aux_watermark);
/* What else is to be known: mappings, tasks, switches, and code that changes. */
void fargs_pt_attr_side(struct perf_event_attr *attr, uint32_t watermark);
/* A tracepoint of that id; only that it fired is of interest. */
void fargs_pt_attr_tracepoint(struct perf_event_attr *attr, uint64_t id);

#endif
