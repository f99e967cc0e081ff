/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The type of a value in a record, told from its name: names of fetched values are
 * the expressions that they were fetched with.
 */
#ifndef FARGS_EXPR_TYPE_H
#define FARGS_EXPR_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "select/typing/constant.h"
#include "select/syntax/node.h"

struct fargs_expr_type {
	uint32_t type_id;	/* as declared; 0: none, as of $cpu. Of a range: of its elements */
	uint32_t bitfield_bits;	/* 0: it is none; the value has its type's width anyway */
	bool is_range;		/* as many of type_id as the value has bytes for; 0: bytes */
	enum fargs_format format;
};

/*
 * Of the value @text in a record of the function @func_id (BTF_KIND_FUNC) of @btf.
 * False: it is no expression, or makes no sense on this function. @constants
 * remembers what was looked for from call to call.
 */
bool fargs_expr_type(struct fargs_expr_type *type, struct fargs_constants *constants,
		     const struct btf *btf, uint32_t func_id, const char *text);

#endif
