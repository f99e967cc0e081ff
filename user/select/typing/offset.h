/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Offsets of members in types that container_of() names.
 */
#ifndef FARGS_SELECT_TYPING_OFFSET_H
#define FARGS_SELECT_TYPING_OFFSET_H

#include <stdint.h>

#include "abi/signature.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/constant.h"
#include "select/typing/ctype.h"

/* Of container_of(): the type, its member, and the member's offset in bytes. */
struct fargs_offset {
	struct fargs_ctype container;
	struct fargs_ctype member;
	int64_t bytes;
};

/* Fills @offset for @node, a FARGS_NODE_CONTAINER. Returns 0, or a negative value. */
int fargs_offset_init(struct fargs_offset *offset, struct fargs_constants *constants,
		      const struct fargs_signature *func, const struct fargs_node *node,
		      struct fargs_diagnostic *m);

#endif
