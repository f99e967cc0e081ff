/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types that an expression names, as in a cast: "struct file *".
 */
#ifndef FARGS_SELECT_TYPING_CTYPE_H
#define FARGS_SELECT_TYPING_CTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/scalar.h"

/*
 * A type, or a pointer to it: BTF has a type for a pointer only if the kernel's own code uses that
 * pointer.
 */
struct fargs_ctype {
	uint32_t id;		/* BTF id; 0: void */
	unsigned int pointers;	/* number of '*' after the type @id */
	/*
	 * If BTF has no such type, as that of a file may not: one of C's own types, with @id 0.
	 * Otherwise, bits is 0.
	 */
	struct fargs_scalar number;
};

/* Cache of names that were looked up: BTF has no index of names. Initialize with zeroes. */
struct fargs_ctypes {
	struct fargs_ctype_memo *memos;
	size_t nr;
};

void fargs_ctypes_deinit(struct fargs_ctypes *types);

/*
 * Finds the type that @node, a FARGS_NODE_TYPE, or a FARGS_NODE_NAME that may be a typedef, names
 * in @btf. Returns 0, or a negative value with the diagnostic in @m.
 */
int fargs_ctype_init(struct fargs_ctype *type, struct fargs_ctypes *types, const struct btf *btf,
		     const struct fargs_node *node, struct fargs_diagnostic *m);
/* Sets *@s to @type. Returns false if it is not a number or a pointer. */
bool fargs_ctype_scalar(const struct fargs_ctype *type, const struct btf *btf,
			struct fargs_scalar *s);
/* Returns the size in bytes of @type, or a negative value with the diagnostic about @node in @m. */
int64_t fargs_ctype_size(const struct fargs_ctype *type, const struct btf *btf,
			 const struct fargs_node *node, struct fargs_diagnostic *m);

#endif
