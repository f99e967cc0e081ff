/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events whose samples have a copy of the end of the trace (perf record --aux-sample), or are PEBS
 * records in the trace (aux-output): members of the group that the Intel PT event leads, which
 * write to its ring.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_SAMPLER_H
#define FARGS_SOURCE_PT_CAPTURE_SAMPLER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "source/pt/capture/event.h"
#include "source/pt/capture/sample_rule.h"
#include "source/pt/capture/sink.h"
#include "source/pt/capture/task_events.h"

struct fargs_pt_sampler {
	struct perf_event_attr attr;
	char name[140];		/* with modifiers */
	bool may_omit_kernel;	/* if the kernel may not be sampled, user space alone is */
};

/* The Intel PT event that leads the group. */
struct fargs_pt_sampler_target {
	const struct fargs_pt_tasks *tasks;
	unsigned int cpu;
	pid_t tid;		/* -1: all tasks */
	int pt_fd;
	int ring_fd;		/* the event whose ring is mapped */
};

struct fargs_pt_open_sampler {
	int fd;
	uint32_t nr;		/* index of its struct fargs_pt_sampler */
	uint64_t id;		/* the kernel's id of the event, which its samples have */
};

/* Initialize with zeroes. */
struct fargs_pt_open_samplers {
	struct fargs_pt_open_sampler *all;
	size_t nr;
};

/*
 * Fills @s for @rule. @aux_bytes, @freq: the size of the copy and the frequency of an event that
 * is not a tracepoint, if the rule does not give them. @id: of the tracepoint.
 */
void fargs_pt_sampler_init(struct fargs_pt_sampler *s, const struct fargs_pt_sample_rule *rule,
			   uint32_t aux_bytes, uint64_t freq, uint64_t id);

/*
 * Opens the events of @nr @samplers in the group of @to: they are enabled and disabled with it. May
 * be called for several Intel PT events. Sets attr.exclude_kernel of those that may omit the
 * kernel, if they must. Returns 0, also if the task has exited, or -errno with @err; in either case
 * the caller must call fargs_pt_samplers_close().
 */
int fargs_pt_samplers_open(struct fargs_pt_open_samplers *open, struct fargs_pt_sampler *samplers,
			   size_t nr, const struct fargs_pt_sampler_target *to,
			   const struct fargs_pt_log *log, struct fargs_error_text *err);
/*
 * Writes the descriptions of @samplers, whose records have their index in place of the kernel's id.
 * Returns 0 or -errno with @err.
 */
int fargs_pt_samplers_write(const struct fargs_pt_sampler *samplers, size_t nr,
			    const struct fargs_pt_sink *sink, struct fargs_error_text *err);
/* Returns the index of the struct fargs_pt_sampler whose event has @id; -1: none. */
int fargs_pt_samplers_find(const struct fargs_pt_open_samplers *open, uint64_t id);
/* Returns the number of samples that these events lost. */
uint64_t fargs_pt_samplers_lost(const struct fargs_pt_open_samplers *open);
void fargs_pt_samplers_close(struct fargs_pt_open_samplers *open);

#endif
