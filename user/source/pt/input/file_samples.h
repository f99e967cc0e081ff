/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples with Intel PT in a trace file of fargs: chunks PT_SAMPLERS and PT_SAMPLES of
 * file/pt_file.h.
 */
#ifndef FARGS_SOURCE_PT_INPUT_FILE_SAMPLES_H
#define FARGS_SOURCE_PT_INPUT_FILE_SAMPLES_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/perf_data/body.h"
#include "source/perf_data/sample.h"
#include "source/pt/input/copies.h"
#include "source/pt/input/input.h"

struct fargs_pt_file_sampler {
	struct perf_event_attr attr;
	char *name;
	size_t pebs_event;	/* index in in->pebs_events; SIZE_MAX: its samples are not PEBS */
};

/* Initialize with zeroes. */
struct fargs_pt_file_samples {
	struct fargs_pt_file_sampler *samplers;
	size_t nr;
	/* Of fargs_pt_file_samples_take(): */
	struct fargs_pt_copies copies;
	size_t events_at;	/* index of the first event in in->sampled_events */
	bool has_events;
	bool has_copies;	/* there are samples with trace */
};

void fargs_pt_file_samples_deinit(struct fargs_pt_file_samples *s);

/* Parses a PT_SAMPLERS chunk, which replaces earlier ones. Returns 0, -EIO or -ENOMEM. */
int fargs_pt_file_samples_describe(struct fargs_pt_file_samples *s, const char *payload,
				   size_t bytes);

/*
 * Adds those events of the chunk whose PEBS records are in the trace to @in. Returns 0 or -ENOMEM.
 */
int fargs_pt_file_samples_add_outputs(struct fargs_pt_file_samples *s, struct fargs_pt_input *in);

/*
 * Takes an AUX_OUTPUT_HW_ID record, which reports the counter of such an event, or ignores one that
 * is damaged. Returns 0 or -ENOMEM.
 */
int fargs_pt_file_samples_take_output(const struct fargs_pt_file_samples *s,
				      struct fargs_pt_input *in, const struct fargs_perf_body *b);

/*
 * Parses the sample at *@at of the PT_SAMPLES chunk @payload, and sets *@at to the next one; the
 * chunk ends at @bytes. *@nr: index in s->samplers. Returns 0, or -EIO.
 */
int fargs_pt_file_samples_next(const struct fargs_pt_file_samples *s, const char *payload,
			       size_t bytes, size_t *at, struct fargs_sample *sample, size_t *nr);

/*
 * Adds the samples of a PT_SAMPLES chunk of @cpu to @in, and the trace in them; @payload must
 * remain valid. Returns 0, -EIO or -ENOMEM.
 */
int fargs_pt_file_samples_take(struct fargs_pt_file_samples *s, struct fargs_pt_input *in,
			       uint32_t cpu, const char *payload, size_t bytes);

#endif
