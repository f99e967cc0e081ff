/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths to values: a path leads from an argument, the result or the context of a call, through any
 * number of pointers, to an object.
 */
#ifndef FARGS_SELECT_TYPING_PATH_H
#define FARGS_SELECT_TYPING_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/signature.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/constant.h"
#include "select/typing/ctype.h"
#include "select/typing/scalar.h"
#include "select/typing/typename.h"

#define FARGS_PATH_DEREFS_MAX	16

enum fargs_path_base {
	FARGS_PATH_PARAM,	/* a parameter: @index is its number, from 0 */
	FARGS_PATH_RETURN,
	FARGS_PATH_CONTEXT,	/* a context variable: @index is an enum fargs_ctx */
	/*
	 * A number or an address that is computed as @value says (select/codegen/operate.h). The
	 * value of a FARGS_NODE_INDEX is the address of the element.
	 */
	FARGS_PATH_VALUE,
	/* The address of the variable @value, so that nr_derefs is at least 1. */
	FARGS_PATH_VARIABLE,
};

struct fargs_path {
	enum fargs_path_base base;
	unsigned int index;
	const struct fargs_node *value;
	/*
	 * If nr_derefs is 0, bit_offsets[0] is the offset of the object within the base. Otherwise,
	 * bit_offsets[0] is the offset of the first pointer within the base; bit_offsets[i] is the
	 * offset of the next pointer (or, if i is nr_derefs, of the object) from the address in the
	 * i-th pointer. All offsets are in bits.
	 */
	unsigned int nr_derefs;
	int64_t bit_offsets[FARGS_PATH_DEREFS_MAX + 1];
	/* Declared type of the object; 0: void, or a number without a BTF type. */
	uint32_t type_id;
	/*
	 * If not 0, the object is a pointer that BTF need not describe: to @type_id with this
	 * number of '*', less one.
	 */
	unsigned int pointers;
	/* @type_id without qualifiers and typedefs; 0 if the object is such a pointer. */
	uint32_t base_id;
	struct fargs_scalar scalar;	/* type of a number without a BTF type */
	uint32_t bitfield_bits;		/* width of a bitfield; 0: not a bitfield */
};

int fargs_path_init(struct fargs_path *path, struct fargs_constants *constants,
		    const struct fargs_signature *func, const struct fargs_node *node,
		    struct fargs_diagnostic *m);

/* Does the path end at a number without a BTF type, such as $cpu or a sum? */
bool fargs_path_is_untyped(const struct fargs_path *path);
/*
 * Is the path a variable that BTF does not describe? It can be cast to the type it is declared
 * with, and has an address.
 */
bool fargs_path_is_undescribed(const struct fargs_path *path);
/* Fails because of fargs_path_is_undescribed(). */
int fargs_path_fail_undescribed(const struct fargs_node *node, struct fargs_diagnostic *m);
/* Sets the type at the end of the path. */
void fargs_path_set_type(struct fargs_path *path, const struct btf *btf,
			 const struct fargs_ctype *type);
/* Sets *@s to the type of the number at the end of the path. Returns false if it is none. */
bool fargs_path_scalar(const struct fargs_path *path, const struct btf *btf,
		       struct fargs_scalar *s);
/* Formats the type at the end of the path. Returns @buf. */
const char *fargs_path_typename(const struct fargs_path *path, const struct btf *btf,
				char buf[FARGS_TYPENAME_MAX]);
/*
 * Moves the end of the path, a struct or union, to its member @node: a name, followed by names of
 * members and constant indices.
 */
int fargs_path_within(struct fargs_path *path, struct fargs_constants *constants,
		      const struct fargs_signature *func, const struct fargs_node *node,
		      struct fargs_diagnostic *m);

/* Follows the pointer at the end of the path. @node: position for diagnostics. */
int fargs_path_deref(struct fargs_path *path, const struct fargs_signature *func,
		     const struct fargs_node *node, struct fargs_diagnostic *m);
/*
 * Determines the type and size of the elements of the pointer or array at the end of the path; void
 * counts as 1 byte.
 */
int fargs_path_element(const struct fargs_path *path, const struct fargs_signature *func,
		       const struct fargs_node *node, struct fargs_ctype *element,
		       uint64_t *bytes, struct fargs_diagnostic *m);
/* Moves the end of the path by @bytes. */
int fargs_path_move(struct fargs_path *path, __int128 bytes, const struct fargs_node *node,
		    struct fargs_diagnostic *m);

#endif
