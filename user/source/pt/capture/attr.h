/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills struct perf_event_attr for each event of an Intel PT recording.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_ATTR_H
#define FARGS_SOURCE_PT_CAPTURE_ATTR_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "source/pt/capture/pmu.h"
#include "source/pt/capture/terms.h"

/* Fields of the sample id of each record, in the Intel PT ring and in the sideband ring. */
#define FARGS_PT_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/*
 * Fills @attr for the Intel PT event, which wakes pollers after every @aux_watermark bytes of
 * trace. This event and those of the functions below are opened disabled.
 */
void fargs_pt_attr_trace(struct perf_event_attr *attr, const struct fargs_pt_pmu *pmu,
			 const struct fargs_pt_terms *terms, uint32_t aux_watermark);
/* Fills @attr for the sideband event: mappings, tasks, task switches, changes of kernel code. */
void fargs_pt_attr_side(struct perf_event_attr *attr, uint32_t watermark);
/* Fills @attr for an event that samples the tracepoint @id. */
void fargs_pt_attr_tracepoint(struct perf_event_attr *attr, uint64_t id);

#endif
