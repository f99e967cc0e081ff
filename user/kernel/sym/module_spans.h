/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address ranges of the modules' code in /proc/kallsyms.
 *
 * While an ftrace_ops is registered, the kernel keeps the names of init functions that it frees
 * (ftrace_free_mem()). It lists these names after all modules, again with the name of their module.
 * Since then, other modules may have been loaded at the same addresses. To look up an address, the
 * kernel searches the modules first and these names last.
 */
#ifndef FARGS_KERNEL_SYM_MODULE_SPANS_H
#define FARGS_KERNEL_SYM_MODULE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_module_spans {
	struct fargs_module_span {
		const char *name;
		/* Lowest and highest address of the module's text symbols. */
		uint64_t first, last;
	} *spans;			/* in the order of the file */
	size_t nr, room;
	const char *name;	/* name of the module whose lines are being added; NULL: none yet */
	/*
	 * The lines of module @name list the code of spans[nr - 1] (@is_live), or functions that
	 * were freed (@is_freed).
	 */
	bool is_live, is_freed;
};

/*
 * Adds the next text symbol of @module, whose name is not copied. Sets *@is_freed if it is a
 * function that the kernel has freed, but still lists. Returns 0 or -ENOMEM.
 */
int fargs_module_spans_add(struct fargs_module_spans *spans, const char *module, uint64_t addr,
			   bool *is_freed);
/* Is @addr in the code of a module? Each range is extended to whole pages. */
bool fargs_module_spans_have(const struct fargs_module_spans *spans, uint64_t addr);
void fargs_module_spans_deinit(struct fargs_module_spans *spans);

#endif
