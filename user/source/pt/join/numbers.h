/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of a trace file, CPU by CPU in the order of their numbers, all in memory.
 */
#ifndef FARGS_PT_NUMBERS_H
#define FARGS_PT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/reader.h"
#include "source/pt/join/align.h"
#include "uapi/fargs_record.h"

struct fargs_pt_cpu_numbers {
	const struct fargs_record **records;
	struct fargs_pt_number *numbers;	/* of the same */
	size_t nr;
	uint64_t nr_behind;	/* as struct fargs_pt_alignment has it */
	bool is_broken;		/* a number is there twice: they tell nothing */
};

/* All zeroes: none. */
struct fargs_pt_numbers {
	struct fargs_pt_cpu_numbers *cpus;
	unsigned int nr_cpus;
	void **chunks;
	size_t nr_chunks;
};

/* Reads them all. To be deinited in either case. -errno with @err. */
int fargs_pt_numbers_read(struct fargs_pt_numbers *n, const struct fargs_reader *r,
			  const struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_pt_numbers_deinit(struct fargs_pt_numbers *n);

#endif
