/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that came, as perf's records tell: what is to be copied now. Pure.
 */
#ifndef FARGS_PT_NEWS_H
#define FARGS_PT_NEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/pt_file.h"

struct fargs_pt_place {
	uint64_t addr;
	uint32_t bytes;
};

/* Begins with zeroes, but for the tracepoints. */
struct fargs_pt_news {
	uint64_t load_id, free_id;	/* of tracepoints: module_load, module_free; 0: unknown */
	struct fargs_file_pt_module *modules;
	size_t nr_modules;
	bool has_come;			/* some, perhaps others than those: look at all of them */
	struct fargs_pt_place *bpf;	/* BPF programs and their trampolines */
	size_t nr_bpf, room;
};

/* Looks at the perf record of @bytes. 0; -EIO: it makes no sense; -ENOMEM. */
int fargs_pt_news_take(struct fargs_pt_news *news, const void *record, size_t bytes);
/* Moves what there is to @to, and goes on with none. */
void fargs_pt_news_move(struct fargs_pt_news *news, struct fargs_pt_news *to);
void fargs_pt_news_deinit(struct fargs_pt_news *news);

#endif
