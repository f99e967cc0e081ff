/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Variables of the kernel, "@name" in expressions: their types and addresses. BTF describes only
 * per-CPU variables; the others must be cast.
 */
#ifndef FARGS_SELECT_TYPING_VARIABLE_H
#define FARGS_SELECT_TYPING_VARIABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "kernel/sym/ksyms.h"
#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"

struct fargs_variable {
	uint32_t type_id;	/* BTF id of its type; 0: BTF does not describe it */
	/*
	 * If @is_per_cpu, the offset of the CPU must be added, which is in an array of 64-bit
	 * offsets of all CPUs at address @offsets.
	 */
	uint64_t addr;
	bool is_per_cpu;
	uint64_t offsets;
};

/* Cache of names that were looked up. Initialize with zeroes. */
struct fargs_variables {
	struct fargs_variable_memo *memos;
	size_t nr;
};

void fargs_variables_deinit(struct fargs_variables *variables);

/*
 * Finds the variable @node, a FARGS_NODE_VARIABLE. Only variables of vmlinux have the same address
 * as long as the kernel runs, so only these are found. If @ksyms is NULL, only type_id is set, and
 * any name is accepted. Returns 0, or a negative value with the diagnostic in @m.
 */
int fargs_variable_find(struct fargs_variable *v, struct fargs_variables *variables,
			const struct fargs_ksyms *ksyms, const struct btf *btf,
			const struct fargs_node *node, struct fargs_diagnostic *m);

#endif
