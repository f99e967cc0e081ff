/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that somebody may have meant.
 */
#ifndef FARGS_UTIL_NEAR_H
#define FARGS_UTIL_NEAR_H

#include <stddef.h>

#define FARGS_NEAR_MAX	3

/* The nearest names so far, best first. Begin with { .wanted = name }. */
struct fargs_near {
	const char *wanted;
	const char *names[FARGS_NEAR_MAX];	/* as offered */
	unsigned int distances[FARGS_NEAR_MAX];
	size_t nr;
};

/* Keeps @name (the pointer) if it is near enough and not there already. */
void fargs_near_offer(struct fargs_near *near, const char *name);
/* Writes "a, b or c"; an empty string if there is none. */
void fargs_near_text(const struct fargs_near *near, char *buf, size_t size);

#endif
