/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes numbers and addresses from values of an event, with the types and results that they have
 * in C, as in the kernel (select/codegen/operate.h). All functions return false if the result
 * cannot be computed, such as if a type is unknown.
 */
#ifndef FARGS_PIPELINE_FILTER_COMPUTE_H
#define FARGS_PIPELINE_FILTER_COMPUTE_H

#include "pipeline/filter/lookup.h"
#include "select/typing/ctype.h"

/* An object in memory, which is not read. */
struct fargs_compute_place {
	const struct btf *btf;
	struct fargs_ctype type;
	uint64_t address;
};

bool fargs_compute_binary(enum fargs_node_kind kind, const struct fargs_found *a,
			  const struct fargs_found *b, struct fargs_found *found);
bool fargs_compute_unary(enum fargs_node_kind kind, const struct fargs_found *a,
			 struct fargs_found *found);
/* Converts @a to @type, whose id is of @btf. */
bool fargs_compute_cast(const struct btf *btf, const struct fargs_ctype *type,
			const struct fargs_found *a, struct fargs_found *found);

/* Finds element @index of what @pointer points to. */
bool fargs_compute_element(const struct fargs_found *pointer, __int128 index,
			   struct fargs_compute_place *to);
/* Moves from an array to its element @index. */
bool fargs_compute_item(struct fargs_compute_place *place, __int128 index);
/* Moves from a struct or union to its member with the name of @node. */
bool fargs_compute_member(struct fargs_compute_place *place, const struct fargs_node *node);
/* Sets *@found to a pointer to @place. */
void fargs_compute_address(const struct fargs_compute_place *place, struct fargs_found *found);

/* Returns the size in bytes of the type of @found, or -1. */
int64_t fargs_compute_size(const struct fargs_found *found);

#endif
