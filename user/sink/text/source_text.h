/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source files of programs, read when a line of them is first needed.
 */
#ifndef FARGS_SINK_TEXT_SOURCE_TEXT_H
#define FARGS_SINK_TEXT_SOURCE_TEXT_H

#include <stddef.h>

/* Threads may share the struct. */
struct fargs_source_text;

/* Returns NULL if out of memory. */
struct fargs_source_text *fargs_source_text_create(void);
void fargs_source_text_destroy(struct fargs_source_text *t);

/*
 * Returns line @line (from 1) of the file @path, and sets *@bytes to its length without the
 * newline; NULL: there is none, or @path is not a regular file. The result is valid as long as @t.
 */
const char *fargs_source_text_line(struct fargs_source_text *t, const char *path,
				   unsigned int line, size_t *bytes);

#endif
