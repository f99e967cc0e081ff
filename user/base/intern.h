/* SPDX-License-Identifier: GPL-2.0-only */
/* String interning: numbers distinct strings from 0, in the order in which they are added. */
#ifndef FARGS_BASE_INTERN_H
#define FARGS_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct fargs_interned {
	char *text;	/* not NUL-terminated */
	uint32_t len;
};

/* A set of interned strings. Initialise with zeroes. */
struct fargs_intern {
	struct fargs_interned *texts;
	uint32_t nr;
	struct fargs_hash by_text;
	uint64_t bytes;		/* total length of all strings */
};

void fargs_intern_deinit(struct fargs_intern *in);
/* Sets *@number to the number of @text, adding it if it is new. Returns 0 or -ENOMEM. */
int fargs_intern_add(struct fargs_intern *in, const char *text, size_t len, uint32_t *number);

#endif
