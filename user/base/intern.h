/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts by number: each different one once, in the order in which they came.
 */
#ifndef FARGS_UTIL_INTERN_H
#define FARGS_UTIL_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct fargs_interned {
	char *text;	/* not terminated */
	uint32_t len;
	uint32_t hash;
};

/* Begin with zeroes. */
struct fargs_intern {
	struct fargs_interned *texts;
	uint32_t nr;
	uint32_t *slots;	/* number + 1; 0: free */
	uint32_t room;		/* slots, a power of two */
	uint64_t bytes;		/* of all texts */
};

void fargs_intern_deinit(struct fargs_intern *in);
/* *@number is that of @text. 0 or -ENOMEM. */
int fargs_intern_add(struct fargs_intern *in, const char *text, size_t len, uint32_t *number);

#endif
