/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the chunks of fargs.dat other than those of records: each function writes one part of
 * struct fargs_meta as a chunk. All return 0, or -errno with @err.
 */
#ifndef FARGS_FILE_CHUNKS_H
#define FARGS_FILE_CHUNKS_H

#include <stddef.h>

#include "base/error.h"
#include "file/output.h"
#include "model/meta.h"
#include "model/task_names.h"

/* Writes a chunk of @kind that belongs to no CPU. */
int fargs_chunks_put(struct fargs_output *output, unsigned int kind, const void *payload,
		     size_t bytes, struct fargs_error_text *err);

/*
 * Writes everything known before the first record, except for the clocks: BTF, functions, symbols,
 * formats, guests, tasks. @level: zstd level for symbols; 0: not compressed.
 */
int fargs_chunks_put_meta(struct fargs_output *output, const struct fargs_meta *meta, int level,
			  struct fargs_error_text *err);

int fargs_chunks_put_funcs(struct fargs_output *output, const struct fargs_func *funcs, size_t nr,
			   struct fargs_error_text *err);
/* Write a chunk of kind NSPIDS or NAMES, respectively; nothing if @nr is 0. */
int fargs_chunks_put_nspids(struct fargs_output *output, const struct fargs_nspid *nspids,
			    size_t nr, struct fargs_error_text *err);
int fargs_chunks_put_names(struct fargs_output *output, const struct fargs_task_name *names,
			   size_t nr, struct fargs_error_text *err);

/*
 * Writes all rounds of clock samples again, in one CLOCKS chunk, because an ELF section must be
 * contiguous.
 */
int fargs_chunks_put_clocks(struct fargs_output *output, const struct fargs_meta *meta,
			    struct fargs_error_text *err);
int fargs_chunks_put_missed(struct fargs_output *output, const struct fargs_meta *meta,
			    struct fargs_error_text *err);

#endif
