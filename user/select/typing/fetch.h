/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Type-checks an expression of a selector, before code is generated for it.
 */
#ifndef FARGS_SELECT_TYPING_FETCH_H
#define FARGS_SELECT_TYPING_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "select/typing/path.h"
#include "select/typing/scalar.h"
#include "select/typing/typing.h"

enum fargs_fetch_kind {
	FARGS_FETCH_SCALAR,	/* up to 128 bits */
	FARGS_FETCH_STRING,
	FARGS_FETCH_OBJECT,	/* struct, union or array */
	FARGS_FETCH_RANGE,
};

struct fargs_fetch {
	enum fargs_fetch_kind kind;
	enum fargs_format format;
	const struct fargs_node *node;
	struct fargs_path path;		/* RANGE: path to its pointer or array */
	struct fargs_scalar scalar;	/* only for SCALAR */
	bool is_there;			/* STRING, RANGE: path ends at an array, not a pointer */
	uint8_t space;			/* STRING: enum fargs_space */
	uint64_t bytes;			/* OBJECT: size; STRING: maximum, 0: unknown */
	/* RANGE only: */
	uint32_t element_id;		/* type of the elements; 0: bytes */
	uint64_t element_bytes;
	int64_t from;			/* index of the first element */
	const struct fargs_node *end;	/* expression for the index after the last element */
};

/* Type-checks @node for the function of @typing, and fills @fetch. */
int fargs_fetch_init(struct fargs_fetch *fetch, const struct fargs_typing *typing,
		     const struct fargs_node *node);
/* Like fargs_fetch_init(), for a value that must be a string, with or without a format. */
int fargs_fetch_init_string(struct fargs_fetch *fetch, const struct fargs_typing *typing,
			    const struct fargs_node *node);

#endif
