/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Visits the members and elements of structs, unions, arrays and ranges by their BTF. All outputs
 * show aggregates this way.
 *
 * Neither BTF nor the record is trusted. The visit fails if a value's size differs from that of
 * its type, if a member exceeds its struct, or if a type has no value or never ends.
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
	FARGS_LEAF_CHAR,	/* signed or unsigned, as BTF says */
	FARGS_LEAF_ENUM,
	FARGS_LEAF_PTR,
};

struct fargs_leaf {
	uint8_t kind;		/* enum fargs_leaf_kind */
	const struct btf *btf;
	uint32_t base_id;
	__uint128_t v;		/* extended by the sign of its type */
};

/* All but is_full are required. */
struct fargs_visitor {
	void (*open)(void *arg, bool is_array);
	void (*close)(void *arg, bool is_array);
	/* Called before the value of a named member, or of an element. */
	void (*member)(void *arg, const char *name);
	void (*element)(void *arg);
	/* Called after either. */
	void (*done)(void *arg);
	void (*leaf)(void *arg, const struct fargs_leaf *leaf);
	/* A whole array or range of char; false: visit its elements instead. */
	bool (*chars)(void *arg, const uint8_t *p, size_t bytes);
	/* Floating point. */
	void (*bytes)(void *arg, const uint8_t *p, size_t bytes);
	/* Memory held more elements. */
	void (*cut)(void *arg);
	/* True ends the visit with 0. */
	bool (*is_full)(const void *arg);
};

/*
 * Visits an FARGS_TYPE_BYTES value that is no fault and that is either of FARGS_SHAPE_AGGREGATE
 * or a range. @is_sparse: members that are all zeroes are skipped. 0, or -EIO, also midway:
 * discard the output of the visit.
 */
int fargs_visit(const struct fargs_visitor *visitor, void *arg, const struct fargs_arg *value,
		bool is_sparse);

#endif
