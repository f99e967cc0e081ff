/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that came, as perf's records tell: what is to be copied now. Pure.
 */
#ifndef FARGS_PT_NEWS_H
#define FARGS_PT_NEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_pt_place {
	uint64_t addr;
	uint32_t bytes;
};

/* Begins with zeroes. */
struct fargs_pt_news {
	bool has_modules;		/* some came or went: look at all of them */
	struct fargs_pt_place *bpf;	/* BPF programs and their trampolines */
	size_t nr_bpf, room;
};

/* Looks at the perf record of @bytes. 0; -EIO: it makes no sense; -ENOMEM. */
int fargs_pt_news_take(struct fargs_pt_news *news, const void *record, size_t bytes);
void fargs_pt_news_clear(struct fargs_pt_news *news);
void fargs_pt_news_deinit(struct fargs_pt_news *news);

#endif
