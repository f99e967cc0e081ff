/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What Intel PT a trace file holds, without decoding any.
 */
#ifndef FARGS_PT_SUMMARY_H
#define FARGS_PT_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/pt_file.h"
#include "base/error.h"

struct fargs_pt_summary_cpu {
	uint64_t aux_bytes;
	uint64_t nr_losses;		/* places where packets are missing */
	uint64_t nr_lost;		/* records beside the trace; of a whole file alone */
};

struct fargs_pt_summary {
	bool is_there;			/* Intel PT was recorded */
	struct fargs_file_pt_config config;
	char *terms;
	uint64_t text_bytes;
	size_t nr_texts;
	bool has_stats;			/* nr_lost is known */
	struct fargs_pt_summary_cpu *cpus;
	unsigned int nr_cpus;
};

/* Of the file at @path. To be deinitialised in either case. -errno. */
int fargs_pt_summary_init(struct fargs_pt_summary *s, const char *path,
			  struct fargs_error_text *err);
void fargs_pt_summary_deinit(struct fargs_pt_summary *s);

#endif
