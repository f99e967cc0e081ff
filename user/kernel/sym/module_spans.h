/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the modules in /proc/kallsyms have their code.
 *
 * While an ftrace_ops is registered, the kernel keeps the names of init functions that it frees
 * (ftrace_free_mem()), and lists them after all modules, once more by their module's name. Other
 * modules may be loaded at their addresses by then: for an address the kernel itself asks the
 * modules first, and those names after them.
 */
#ifndef FARGS_SYM_MODULE_SPANS_H
#define FARGS_SYM_MODULE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fargs_module_spans {
	struct fargs_module_span {
		const char *name;
		uint64_t first, last;	/* addresses of symbols of its code */
	} *spans;			/* in the order of the file */
	size_t nr, room;
	const char *name;		/* whose lines are being read; NULL: none yet */
	bool is_live, is_freed;		/* the last of @spans; or functions that were freed */
};

/*
 * The next symbol of code of @module, whose name must last. *@is_freed: it is one that the kernel
 * has freed, and only remembers. 0 or -ENOMEM.
 */
int fargs_module_spans_add(struct fargs_module_spans *spans, const char *module, uint64_t addr,
			   bool *is_freed);
/* Is there code of a module at @addr? To the end of the page of its last symbol. */
bool fargs_module_spans_have(const struct fargs_module_spans *spans, uint64_t addr);
void fargs_module_spans_deinit(struct fargs_module_spans *spans);

#endif
