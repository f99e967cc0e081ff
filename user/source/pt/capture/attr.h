/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fills struct perf_event_attr for each event of an Intel PT recording.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_ATTR_H
#define FARGS_SOURCE_PT_CAPTURE_ATTR_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "source/pt/capture/pmu.h"
#include "source/pt/capture/terms.h"

/* Bits of aux_action: paused from the beginning; pause, or resume, when this event occurs. */
#define FARGS_PT_AUX_START_PAUSED	1u
#define FARGS_PT_AUX_PAUSE		2u
#define FARGS_PT_AUX_RESUME		4u

/* Fields of the sample id of each record, in the Intel PT ring and in the sideband ring. */
#define FARGS_PT_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU)

/* The same of a ring with samples: they have the id of their event. */
#define FARGS_PT_SAMPLES_TYPE	(FARGS_PT_SAMPLE_TYPE | PERF_SAMPLE_IDENTIFIER)

/*
 * Fills @attr for the Intel PT event, which wakes pollers after every @aux_watermark bytes of
 * trace. This event and those of the functions below are opened disabled.
 */
void fargs_pt_attr_trace(struct perf_event_attr *attr, const struct fargs_pt_pmu *pmu,
			 const struct fargs_pt_terms *terms, uint32_t aux_watermark);
/*
 * Changes @attr of the Intel PT event, whose ring gets the samples of other events: pollers are
 * woken after @watermark bytes of records.
 */
void fargs_pt_attr_add_samples(struct perf_event_attr *attr, uint32_t watermark);
/*
 * Fills @attr for an event in the group of the Intel PT event, whose samples have the last
 * @aux_bytes of the trace (0: they have none); but for its period and the modes in which it counts.
 */
void fargs_pt_attr_sample(struct perf_event_attr *attr, uint32_t type, uint64_t config,
			  uint32_t aux_bytes);
/* Fills @attr for the sideband event: mappings, tasks, task switches, changes of kernel code. */
void fargs_pt_attr_side(struct perf_event_attr *attr, uint32_t watermark);
/* Changes @attr of the Intel PT event: it is paused until an event resumes it. */
void fargs_pt_attr_start_paused(struct perf_event_attr *attr);
/*
 * Fills @attr for the tracepoint @id, an event in the group of the Intel PT event that pauses the
 * trace or, if @is_resume, resumes it.
 */
void fargs_pt_attr_action(struct perf_event_attr *attr, uint64_t id, bool is_resume);
/* Returns the member aux_action of @attr, which headers before Linux 6.13 do not name. */
uint32_t fargs_pt_attr_aux_action(const struct perf_event_attr *attr);
/* Fills @attr for an event that samples the tracepoint @id. */
void fargs_pt_attr_tracepoint(struct perf_event_attr *attr, uint64_t id);

#endif
