/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples with Intel PT in the ring of a CPU. They are passed on as they are, but for the kernel's
 * id of their event, of which each CPU and task has its own: the event's index replaces it.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_CPU_SAMPLE_H
#define FARGS_SOURCE_PT_CAPTURE_CPU_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/capture/cpu.h"
#include "source/pt/capture/sink.h"

/* PERF_RECORD_AUX_OUTPUT_HW_ID with the sample id of FARGS_PT_SAMPLES_TYPE. */
struct fargs_pt_output_record {
	struct perf_event_header head;
	uint64_t counter;		/* which the event has from now on */
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;			/* PERF_SAMPLE_IDENTIFIER */
};

/* Opens the sampling events, for each event of the trace. Returns 0 or -errno with @err. */
int fargs_pt_cpu_open_samplers(struct fargs_pt_cpu *cpu, struct fargs_error_text *err);

/*
 * Takes the sample @record of @bytes. It is passed to @sink with further ones; the last ones are by
 * fargs_pt_cpu_write_samples(). Returns 0, -EIO if it is of no event, or -errno with @err.
 */
int fargs_pt_cpu_take_sample(struct fargs_pt_cpu *cpu, const void *record, size_t bytes,
			     const struct fargs_pt_sink *sink, struct fargs_error_text *err);
int fargs_pt_cpu_write_samples(struct fargs_pt_cpu *cpu, const struct fargs_pt_sink *sink,
			       struct fargs_error_text *err);
/*
 * Copies *@record, an AUX_OUTPUT_HW_ID record of @bytes, to @to, with the index of its event, and
 * sets *@record to the copy. Returns 0, or -EIO if it is of no event.
 */
int fargs_pt_cpu_take_output(const struct fargs_pt_cpu *cpu, const void **record, size_t bytes,
			     struct fargs_pt_output_record *to);

#endif
