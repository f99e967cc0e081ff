/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Visits the members and elements of structs, unions, arrays and ranges as described by BTF. All
 * outputs use this to show aggregates.
 *
 * Neither BTF nor the record is trusted. The visit fails if the size of a value differs from that
 * of its type, if a member exceeds its struct, if a type cannot have values (void, a function), or
 * if types are nested too deeply or endlessly.
 */
#ifndef FARGS_MODEL_VISIT_H
#define FARGS_MODEL_VISIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

enum fargs_leaf_kind {
	FARGS_LEAF_UNSIGNED,
	FARGS_LEAF_SIGNED,
	FARGS_LEAF_BOOL,
	FARGS_LEAF_CHAR,	/* a char, signed or unsigned according to BTF */
	FARGS_LEAF_ENUM,
	FARGS_LEAF_PTR,
};

struct fargs_leaf {
	uint8_t kind;		/* enum fargs_leaf_kind */
	const struct btf *btf;
	uint32_t base_id;
	uint32_t type_id;	/* type as declared */
	/* Struct or union of which the value is a named member, and the member's name, or NULL. */
	const struct btf_type *of;
	const char *member;
	__uint128_t v;		/* the value, sign-extended if its type is signed */
};

/* Callbacks. All but is_full() are required. */
struct fargs_visitor {
	void (*open)(void *arg, bool is_array);
	void (*close)(void *arg, bool is_array);
	/* Called before the value of a named member, and before that of an array's element. */
	void (*member)(void *arg, const char *name);
	void (*element)(void *arg);
	/* Called after the value of a member or element. */
	void (*done)(void *arg);
	void (*leaf)(void *arg, const struct fargs_leaf *leaf);
	/*
	 * Called for a whole array or range of char. Returns false to have its elements visited
	 * instead.
	 */
	bool (*chars)(void *arg, const uint8_t *p, size_t bytes);
	/* Called for a floating-point value. */
	void (*bytes)(void *arg, const uint8_t *p, size_t bytes);
	/*
	 * Called before the end of a range, array or struct of which only the first elements or
	 * members were recorded.
	 */
	void (*cut)(void *arg);
	/* Returns true to end the visit; fargs_visit() then returns 0. */
	bool (*is_full)(const void *arg);
};

/*
 * Visits a value of type FARGS_TYPE_BYTES that is not a fault, and that either has
 * FARGS_SHAPE_AGGREGATE or is a range. @is_sparse: skip members whose bytes are all zero. Returns
 * 0, or -EIO, possibly after some callbacks: discard their output then.
 */
int fargs_visit(const struct fargs_visitor *visitor, void *arg, const struct fargs_arg *value,
		bool is_sparse);

#endif
