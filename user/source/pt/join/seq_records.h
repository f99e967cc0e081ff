/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the records of a trace file into memory, per CPU in the order of their sequence numbers.
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
	struct fargs_pt_seq *seqs;	/* of the same records */
	size_t nr;
	uint64_t nr_behind;	/* as in struct fargs_pt_alignment */
	bool is_broken;		/* a sequence number is duplicate, so none can be used */
};

/* Zero-initialized: none. */
struct fargs_pt_seq_records {
	struct fargs_pt_cpu_records *cpus;
	unsigned int nr_cpus;
	void **chunks;
	size_t nr_chunks;
};

/* Reads all records. @n must be deinitialized also on failure. Returns 0 or -errno with @err. */
int fargs_pt_seq_records_read(struct fargs_pt_seq_records *n, const struct fargs_reader *r,
			      const struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_pt_seq_records_deinit(struct fargs_pt_seq_records *n);

#endif
