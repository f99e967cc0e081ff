/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which texts come most often. Of more than FARGS_TOP_MAX different ones not all are kept: what
 * comes new takes the place of the rarest, and its number, which then is too large by at
 * most that (Metwally, Agrawal, El Abbadi 2005, "space saving").
 */
#ifndef FARGS_REPORT_TOP_H
#define FARGS_REPORT_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FARGS_TOP_MAX	256

struct fargs_top_entry {
	uint64_t hash;
	uint64_t nr;
	uint64_t too_many;	/* of nr, at most so many are of others */
	char *text;
	size_t len;
};

/* Begin with zeroes. */
struct fargs_top {
	struct fargs_top_entry *entries;
	size_t nr;
	uint64_t total;
};

void fargs_top_deinit(struct fargs_top *top);
/* 0 or -ENOMEM. */
int fargs_top_add(struct fargs_top *top, const char *text, size_t len);
/* Of a text: FNV-1a. */
uint64_t fargs_top_hash(const char *text, size_t len);
/* By number, of the same by text. */
void fargs_top_sort(struct fargs_top *top);

#endif
