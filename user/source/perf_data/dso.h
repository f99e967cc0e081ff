/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program or library in which samples were taken: its functions, code and source lines. Addresses
 * are offsets in the file, as in perf.
 */
#ifndef FARGS_SOURCE_PERF_DATA_DSO_H
#define FARGS_SOURCE_PERF_DATA_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_dso;
struct fargs_locator;

struct fargs_dso_symbol {
	const char *name;
	uint64_t start, end;
	uint64_t section_end;	/* @end or, if the symbol has no size, the end of its section */
	uint8_t binding;	/* binding of the symbol: STB_* */
	bool is_plt;		/* "name@plt": code that only jumps to function "name" */
};

/*
 * Opens the file @file, which was recorded as @path, and reads its symbols. If @file is NULL or
 * cannot be read, there are no symbols. @l, which must outlive the result, finds separate debug
 * files. NULL: out of memory.
 */
struct fargs_dso *fargs_dso_open(const char *path, const char *file,
				 const struct fargs_locator *l);
void fargs_dso_close(struct fargs_dso *dso);

/* Pointers that these functions return are valid until fargs_dso_close(). */
const char *fargs_dso_path(const struct fargs_dso *dso);
bool fargs_dso_is_64_bit(const struct fargs_dso *dso);
/* Returns the build ID, of *@bytes bytes; there is no build ID if *@bytes is 0. */
const uint8_t *fargs_dso_build_id(const struct fargs_dso *dso, size_t *bytes);
/* Returns the function at offset @at, or NULL. */
const struct fargs_dso_symbol *fargs_dso_find(const struct fargs_dso *dso, uint64_t at);
/* Returns the functions, sorted by start, and sets *@nr to their number. */
const struct fargs_dso_symbol *fargs_dso_symbols(const struct fargs_dso *dso, size_t *nr);
/*
 * Returns the source file of the code at offset @at, and sets *@line. NULL: no debug information.
 */
const char *fargs_dso_srcline(struct fargs_dso *dso, uint64_t at, unsigned int *line);

/* Sets *@addr to the address of the code at offset @at, as objdump shows it. */
bool fargs_dso_addr(const struct fargs_dso *dso, uint64_t at, uint64_t *addr);
/* Is the file linked to the addresses at which it is loaded (ET_EXEC)? */
bool fargs_dso_is_fixed(const struct fargs_dso *dso);

/* Reads up to @bytes of the file at offset @at. Returns the number of bytes read. */
size_t fargs_dso_read(const struct fargs_dso *dso, uint64_t at, void *buf, size_t bytes);

#endif
