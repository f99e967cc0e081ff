/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address ranges of the modules' code in /proc/kallsyms.
 *
 * While an ftrace_ops is registered, the kernel keeps the names of init functions that it frees
 * (ftrace_free_mem()), and lists them after all modules, again with their module's name. Other
 * modules may have been loaded at their addresses since. When the kernel looks up an address, it
 * searches the modules before those names.
 */
#ifndef FARGS_KERNEL_SYM_MODULE_SPANS_H
#define FARGS_KERNEL_SYM_MODULE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_module_spans {
	struct fargs_module_span {
		const char *name;
		uint64_t first, last;	/* addresses of its first and last text symbol */
	} *spans;			/* in file order */
	size_t nr, room;
	const char *name;		/* module of the current lines; NULL: none yet */
	bool is_live, is_freed;		/* it is the last of @spans; or freed functions */
};

/*
 * Adds the next text symbol of @module, whose name is not copied. *@is_freed: it is a freed
 * function that the kernel only remembers. Returns 0 or -ENOMEM.
 */
int fargs_module_spans_add(struct fargs_module_spans *spans, const char *module, uint64_t addr,
			   bool *is_freed);
/* Does @addr contain code of a module? Ranges extend to the end of the page of the last symbol. */
bool fargs_module_spans_have(const struct fargs_module_spans *spans, uint64_t addr);
void fargs_module_spans_deinit(struct fargs_module_spans *spans);

#endif
