/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that is there whole or not at all: it is made beside its place, under another name, and
 * takes the place when all is written. What is no file there, as /dev/stdout, is written to.
 */
#ifndef FARGS_PAGE_OUTPUT_H
#define FARGS_PAGE_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

/* Begin with zeroes. */
struct fargs_page_output {
	const char *path;
	char *made;		/* what it is called until it is whole; NULL: as @path */
	FILE *file;
};

/* Each: 0 or -errno. @path must live as long as @o. */
int fargs_page_output_open(struct fargs_page_output *o, const char *path);
int fargs_page_output_write(struct fargs_page_output *o, const char *text, size_t bytes);
/* All is written: it takes its place. */
int fargs_page_output_finish(struct fargs_page_output *o);
/* Without finish before, nothing is left behind. */
void fargs_page_output_deinit(struct fargs_page_output *o);

#endif
