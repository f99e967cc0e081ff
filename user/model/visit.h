/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The members and elements of structs, unions, arrays and ranges, one by one, by their
 * BTF: what all outputs make of them is made out of this.
 *
 * Neither BTF nor the record is trusted: what does not fit together ends the visit, as do a
 * value of another size than its type, a member that reaches out of its struct, and types
 * that have no value or no end.
 */
#ifndef FARGS_DECODE_VISIT_H
#define FARGS_DECODE_VISIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

enum fargs_leaf_kind {
	FARGS_LEAF_UNSIGNED,
	FARGS_LEAF_SIGNED,
	FARGS_LEAF_BOOL,
	FARGS_LEAF_CHAR,	/* as signed as BTF says */
	FARGS_LEAF_ENUM,
	FARGS_LEAF_PTR,
};

struct fargs_leaf {
	uint8_t kind;		/* enum fargs_leaf_kind */
	const struct btf *btf;
	uint32_t base_id;
	__uint128_t v;		/* extended by its sign where it has one */
};

/* All but is_full are needed. */
struct fargs_visitor {
	void (*open)(void *arg, bool is_array);
	void (*close)(void *arg, bool is_array);
	/* In front of the value of a member, which has a name, or of an element. */
	void (*member)(void *arg, const char *name);
	void (*element)(void *arg);
	/* Behind either. */
	void (*done)(void *arg);
	void (*leaf)(void *arg, const struct fargs_leaf *leaf);
	/* An array or range of char, as a whole; false: as elements, please. */
	bool (*chars)(void *arg, const uint8_t *p, size_t bytes);
	/* Floating point. */
	void (*bytes)(void *arg, const uint8_t *p, size_t bytes);
	/* There were more elements in memory. */
	void (*cut)(void *arg);
	/* True ends the visit: 0 is returned. */
	bool (*is_full)(const void *arg);
};

/*
 * Visits an FARGS_TYPE_BYTES value that is no fault and whose shape is FARGS_SHAPE_AGGREGATE, or
 * that is a range. @is_sparse: members of nothing but zeroes are left out. 0, or -EIO in the
 * middle: what was made of it so far is to be thrown away.
 */
int fargs_visit(const struct fargs_visitor *visitor, void *arg, const struct fargs_arg *value,
		bool is_sparse);

#endif
