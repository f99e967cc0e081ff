/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks up the names of constants and evaluates constant expressions.
 */
#ifndef FARGS_SELECT_TYPING_CONSTANT_H
#define FARGS_SELECT_TYPING_CONSTANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/signature.h"
#include "kernel/sym/ksyms.h"
#include "kernel/value/symbolic.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/typing/ctype.h"
#include "select/typing/variable.h"

/*
 * Cache of enumerators that were looked up: BTF has no index of their names. Initialize with
 * zeroes.
 */
struct fargs_constants {
	struct fargs_constant_memo *memos;
	size_t nr;
	/* Cache: @task_id is the id of the type "struct task_struct *" in @task_btf. */
	const struct btf *task_btf;
	uint32_t task_id;
	/* Flags of the traced kernel, owned by the caller; NULL: only those in BTF are known. */
	struct fargs_symbolic *symbolic;
	/* For addresses of variables; owned by the caller; NULL: only their types are known. */
	const struct fargs_ksyms *ksyms;
	struct fargs_variables variables;
	struct fargs_ctypes types;
};

void fargs_constants_deinit(struct fargs_constants *constants);

/* Returns the id of the type "struct task_struct *"; 0: BTF has no such type. */
uint32_t fargs_constants_task(struct fargs_constants *constants, const struct btf *btf);

/* Returns the index of the parameter that @node names, or -1. */
int fargs_expr_param(const struct fargs_signature *func, const struct fargs_node *node);
/* Is @node the result of @func: $ret, or ret unless a parameter has that name? */
bool fargs_expr_is_return(const struct fargs_signature *func, const struct fargs_node *node);
/* Does @node consist of numbers and of names that are not values of a call? */
bool fargs_constant_is(const struct fargs_signature *func, const struct fargs_node *node);

/*
 * Evaluates the constant expression @node; *@value fits into 64 bits, signed or unsigned. If
 * several enums have an enumerator with the same name, that of the enum @enum_id (0: none) is
 * preferred. Returns 0, or a negative value with the diagnostic in @m.
 */
int fargs_constant_eval(struct fargs_constants *constants, const struct fargs_signature *func,
			const struct fargs_node *node, uint32_t enum_id, __int128 *value,
			struct fargs_diagnostic *m);

#endif
