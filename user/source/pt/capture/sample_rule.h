/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses the argument of --pt-sample: an event whose samples have a copy of the end of the trace,
 * such as "cpu-clock/freq=100,aux-sample-size=8192/u", or whose PEBS records the CPU writes into
 * the trace, such as "cycles/aux-output,period=10000/ppp". Does no I/O.
 */
#ifndef FARGS_SOURCE_PT_CAPTURE_SAMPLE_RULE_H
#define FARGS_SOURCE_PT_CAPTURE_SAMPLE_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* As in perf: the default size of the copy, and the maximum, since a record has at most 64 KiB. */
#define FARGS_PT_SAMPLE_BYTES		4096u
#define FARGS_PT_SAMPLE_BYTES_MAX	(60u << 10)
/* The kernel copies a multiple of this. */
#define FARGS_PT_SAMPLE_BYTES_MIN	8u

struct fargs_pt_sample_rule {
	char name[128];		/* without terms and modifiers; of a tracepoint, SYSTEM:EVENT */
	uint32_t type;		/* attr.type */
	uint64_t config;	/* attr.config; of a tracepoint, 0: its id is in tracefs */
	uint64_t period, freq;	/* at most one of them is not 0; both 0: the default */
	uint32_t aux_bytes;	/* size of the copy; 0: the default */
	bool is_kernel, is_user;	/* modifiers; neither: no modifiers */
	unsigned int precise;		/* attr.precise_ip: the number of 'p' modifiers, 0 to 3 */
	bool is_output;			/* attr.aux_output: PEBS records; has @period, @precise */
};

/* Parses @text. Returns 0, or -EINVAL with @err. */
int fargs_pt_sample_rule_parse(struct fargs_pt_sample_rule *rule, const char *text,
			       struct fargs_error_text *err);

/* Parses @text, the size of a copy. Returns 0, or -EINVAL with @err. */
int fargs_pt_sample_size_parse(const char *text, uint32_t *bytes, struct fargs_error_text *err);

#endif
