/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds names similar to a misspelt one, for "did you mean" messages.
 */
#ifndef FARGS_BASE_NEAR_H
#define FARGS_BASE_NEAR_H

#include <stddef.h>

#define FARGS_NEAR_MAX	3

/* The names that are most similar to @wanted, best first. Start with { .wanted = name }. */
struct fargs_near {
	const char *wanted;
	const char *prefix;			/* written before each name; NULL: none */
	const char *names[FARGS_NEAR_MAX];	/* the pointers passed to fargs_near_offer() */
	unsigned int distances[FARGS_NEAR_MAX];
	size_t nr;
};

/* Adds @name, which is not copied, to @near if it is similar enough and not a duplicate. */
void fargs_near_offer(struct fargs_near *near, const char *name);
/* Writes "a, b or c" to @buf; an empty string if there are no names. */
void fargs_near_text(const struct fargs_near *near, char *buf, size_t size);

#endif
