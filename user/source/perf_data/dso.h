/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program or library that samples are in: its functions, its code, its source lines. Addresses
 * are offsets in the file, as perf has them.
 */
#ifndef FARGS_PERF_DSO_H
#define FARGS_PERF_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_dso;

struct fargs_dso_symbol {
	const char *name;
	uint64_t start, end;
	uint64_t section_end;	/* the same, where its size is known */
	uint8_t binding;	/* STB_* */
};

/* Reads its symbols. One that cannot be read has none. NULL: no memory. */
struct fargs_dso *fargs_dso_open(const char *path);
void fargs_dso_close(struct fargs_dso *dso);

/* All live as long as it. */
const char *fargs_dso_path(const struct fargs_dso *dso);
bool fargs_dso_is_64_bit(const struct fargs_dso *dso);
/* The build ID; *@bytes 0: it has none. */
const uint8_t *fargs_dso_build_id(const struct fargs_dso *dso, size_t *bytes);
/* The function at @at; NULL: none. */
const struct fargs_dso_symbol *fargs_dso_find(const struct fargs_dso *dso, uint64_t at);
/* The source file, and the line in *@line; NULL: it has no debug information, or not there. */
const char *fargs_dso_srcline(struct fargs_dso *dso, uint64_t at, unsigned int *line);

/* Up to @bytes of the file at @at; how many. */
size_t fargs_dso_read(const struct fargs_dso *dso, uint64_t at, void *buf, size_t bytes);

#endif
