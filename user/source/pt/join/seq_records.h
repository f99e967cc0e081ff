/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the records of a trace file into memory, and sorts each CPU's records by sequence number.
 */
#ifndef FARGS_SOURCE_PT_JOIN_SEQ_RECORDS_H
#define FARGS_SOURCE_PT_JOIN_SEQ_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/reader.h"
#include "source/pt/join/align.h"
#include "uapi/fargs_record.h"

struct fargs_pt_cpu_records {
	const struct fargs_record **records;
	struct fargs_pt_seq *seqs;	/* one element for each of @records */
	size_t nr;
	uint64_t nr_rest;	/* as @nr_rest in struct fargs_pt_alignment */
	bool is_broken;		/* sequence numbers are inconsistent and cannot be used */
};

/* Initialize with zeroes. */
struct fargs_pt_seq_records {
	struct fargs_pt_cpu_records *cpus;
	unsigned int nr_cpus;
	void **chunks;
	size_t nr_chunks;
};

/*
 * Reads all records. Returns 0 or -errno with @err. The caller must deinitialize @n in either case.
 */
int fargs_pt_seq_records_read(struct fargs_pt_seq_records *n, const struct fargs_reader *r,
			      const struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_pt_seq_records_deinit(struct fargs_pt_seq_records *n);

#endif
