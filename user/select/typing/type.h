/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Derives the type of a fetched value in a record from its name, which is the expression that
 * fetched it.
 */
#ifndef FARGS_SELECT_TYPING_TYPE_H
#define FARGS_SELECT_TYPING_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "select/syntax/node.h"
#include "select/typing/constant.h"

struct fargs_expr_type {
	/* Declared type of the value or, for a range, of its elements; 0: none, as for $cpu. */
	uint32_t type_id;
	/* Declared width of a bitfield, which is recorded as a whole integer; 0: not a bitfield. */
	uint32_t bitfield_bits;
	bool is_range;		/* the value is an array of @type_id or, if that is 0, of bytes */
	enum fargs_format format;
};

/*
 * Determines the type of the value @text in a record of the function @func_id (BTF_KIND_FUNC) of
 * @btf. Returns false if @text is not a valid expression on this function. @constants caches
 * look-ups between calls.
 */
bool fargs_expr_type(struct fargs_expr_type *type, struct fargs_constants *constants,
		     const struct btf *btf, uint32_t func_id, const char *text);

#endif
