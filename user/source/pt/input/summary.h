/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Summarizes the Intel PT recording of a trace file without decoding it.
 */
#ifndef FARGS_SOURCE_PT_INPUT_SUMMARY_H
#define FARGS_SOURCE_PT_INPUT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "file/pt_file.h"
#include "source/pt/input/file_samples.h"

struct fargs_pt_summary_cpu {
	uint64_t aux_bytes;
	uint64_t nr_samples;
	uint64_t nr_losses;		/* number of gaps in the trace */
	/* Number of lost sideband records; valid only with has_stats in struct fargs_pt_summary. */
	uint64_t nr_lost;
	uint64_t nr_lost_samples;	/* likewise */
};

struct fargs_pt_summary {
	bool is_there;			/* the file contains Intel PT */
	struct fargs_file_pt_config config;
	char *terms;
	char *filter;		/* address filters; "": none */
	uint64_t text_bytes;
	size_t nr_texts;
	bool has_stats;			/* @nr_lost of each element of @cpus is known */
	struct fargs_pt_summary_cpu *cpus;
	unsigned int nr_cpus;
	struct fargs_pt_file_samples samples;	/* the events whose samples have the trace */
};

/*
 * Summarizes the file at @path. Returns 0 or -errno with @err. The caller must deinitialize @s in
 * either case.
 */
int fargs_pt_summary_init(struct fargs_pt_summary *s, const char *path,
			  struct fargs_error_text *err);
void fargs_pt_summary_deinit(struct fargs_pt_summary *s);

#endif
