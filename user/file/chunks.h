/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chunks of fargs.dat beside those of records: each function makes what struct fargs_meta knows of
 * one thing a chunk, and writes it. 0, or -errno with @err.
 */
#ifndef FARGS_FILE_CHUNKS_H
#define FARGS_FILE_CHUNKS_H

#include <stddef.h>

#include "base/error.h"
#include "file/output.h"
#include "model/meta.h"
#include "model/task_names.h"

/* A chunk of no CPU. */
int fargs_chunks_put(struct fargs_output *output, unsigned int kind, const void *payload,
		     size_t bytes, struct fargs_error_text *err);

/*
 * All that is known before the first record, but the clocks: BTF, functions, symbols, formats,
 * guests, tasks. @level: of zstd for symbols; 0: they are not packed.
 */
int fargs_chunks_put_meta(struct fargs_output *output, const struct fargs_meta *meta, int level,
			  struct fargs_error_text *err);

int fargs_chunks_put_funcs(struct fargs_output *output, const struct fargs_func *funcs, size_t nr,
			   struct fargs_error_text *err);
/* None, if @nr is 0; so with names. */
int fargs_chunks_put_nspids(struct fargs_output *output, const struct fargs_nspid *nspids,
			    size_t nr, struct fargs_error_text *err);
int fargs_chunks_put_names(struct fargs_output *output, const struct fargs_task_name *names,
			   size_t nr, struct fargs_error_text *err);

/* All rounds of clocks once more in one piece: a section has no holes. */
int fargs_chunks_put_clocks(struct fargs_output *output, const struct fargs_meta *meta,
			    struct fargs_error_text *err);
int fargs_chunks_put_missed(struct fargs_output *output, const struct fargs_meta *meta,
			    struct fargs_error_text *err);

#endif
