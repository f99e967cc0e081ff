/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values to be shown: what they are, and the code that puts them into a record.
 */
#ifndef FARGS_EXPR_FETCH_H
#define FARGS_EXPR_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "select/codegen/gen.h"
#include "select/typing/path.h"
#include "select/typing/scalar.h"

enum fargs_fetch_kind {
	FARGS_FETCH_SCALAR,	/* of up to 128 bits */
	FARGS_FETCH_STRING,
	FARGS_FETCH_OBJECT,	/* struct, union or array */
	FARGS_FETCH_RANGE,
};

struct fargs_fetch {
	enum fargs_fetch_kind kind;
	enum fargs_format format;
	const struct fargs_node *node;
	struct fargs_path path;		/* RANGE: to its pointer or array */
	struct fargs_scalar scalar;	/* SCALAR */
	bool is_there;			/* STRING, RANGE: no pointer leads there */
	uint8_t space;			/* STRING: enum fargs_space */
	uint64_t bytes;			/* OBJECT; STRING: at most, or 0: unknown */
	/* RANGE: */
	uint32_t element_id;		/* type; 0: bytes */
	uint64_t element_bytes;
	int64_t from;			/* first element */
	const struct fargs_node *end;	/* behind the last one */
};

/* What @node means in the function of @gen. */
int fargs_fetch_init(struct fargs_fetch *fetch, const struct fargs_gen *gen,
		     const struct fargs_node *node);
/* The same, for a value that has to be a string, whether it has a format or not. */
int fargs_fetch_init_string(struct fargs_fetch *fetch, const struct fargs_gen *gen,
			    const struct fargs_node *node);
/* r[reg] = the address of the STRING or RANGE. */
int fargs_fetch_address(struct fargs_gen *gen, const struct fargs_fetch *fetch, unsigned int reg);

#endif
