/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Deferred layouts: layouts of functions or tracepoints in modules that are not loaded yet. A
 * selector gets such layouts only if it names the module without a glob. The layouts are made from
 * the module's file.
 */
#ifndef FARGS_SELECT_RESOLVE_DEFERRED_H
#define FARGS_SELECT_RESOLVE_DEFERRED_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/sym/module_file.h"
#include "select/resolve/select.h"

/* A module that is not loaded. */
struct fargs_deferred_module {
	char name[64];
	struct fargs_module_file *file;
	/* Symbols of the module's tracepoints; NULL: functions are selected. */
	struct fargs_ksyms *tpoints;
	struct fargs_select *sel;	/* selection from the file; its addresses are invalid */
};

struct fargs_deferred {
	struct fargs_deferred_module *modules;
	size_t nr_modules;
	const struct fargs_rule **wanted;	/* rules for loaded modules and the kernel */
	size_t nr_wanted;
	struct fargs_layouts layouts;	/* deferred layouts of all modules, in order of matches */
};

/*
 * Resolves those of @rules that name modules that are not loaded, and puts the other rules into
 * deferred->wanted. Adds the modules' BTF to kernel->btfs. kernel->btfs and everything @rules
 * points to must outlive @deferred. Returns 0, or -errno with the reason in @err, also if there is
 * no such module or the BTF in its file is unusable. Call fargs_deferred_deinit() in either case.
 */
int fargs_deferred_init(struct fargs_deferred *deferred, const struct fargs_rules *rules,
			const struct fargs_kernel *kernel, struct fargs_error_text *err);
void fargs_deferred_deinit(struct fargs_deferred *deferred);

#endif
