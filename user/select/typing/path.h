/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The way to a value: from an argument, or what is returned, over pointers to
 * an object in memory.
 */
#ifndef FARGS_EXPR_PATH_H
#define FARGS_EXPR_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "select/typing/constant.h"
#include "select/syntax/mistake.h"
#include "select/syntax/node.h"
#include "select/typing/scalar.h"
#include "abi/signature.h"

#define FARGS_PATH_DEREFS_MAX	16

enum fargs_path_base {
	FARGS_PATH_PARAM,	/* index: of the parameter */
	FARGS_PATH_RETURN,
	FARGS_PATH_CONTEXT,	/* index: enum fargs_ctx */
};

struct fargs_path {
	enum fargs_path_base base;
	unsigned int index;
	/*
	 * Of the object, if nr_derefs is 0: its bits within the base. Else
	 * bit_offsets[0] is where in the base a pointer is, bit_offsets[1] where
	 * behind that the next one is, and the last one where the object is.
	 */
	unsigned int nr_derefs;
	int64_t bit_offsets[FARGS_PATH_DEREFS_MAX + 1];
	uint32_t type_id;		/* of the object, as declared; 0: void, or a context */
	uint32_t base_id;		/* the same without qualifiers */
	uint32_t bitfield_bits;		/* 0: it is none */
};

int fargs_path_init(struct fargs_path *path, struct fargs_constants *constants,
		    const struct fargs_signature *func, const struct fargs_node *node,
		    struct fargs_mistake *m);

/* From a pointer to what it points to. @node: for mistakes. */
int fargs_path_deref(struct fargs_path *path, const struct fargs_signature *func,
		     const struct fargs_node *node, struct fargs_mistake *m);
/* What the pointer or array at the end of the path consists of, and in bytes: 1 for void. */
int fargs_path_element(const struct fargs_path *path, const struct fargs_signature *func,
		       const struct fargs_node *node, uint32_t *type_id, uint64_t *bytes,
		       struct fargs_mistake *m);
/* Goes on by @bytes. */
int fargs_path_move(struct fargs_path *path, __int128 bytes, const struct fargs_node *node,
		    struct fargs_mistake *m);

#endif
