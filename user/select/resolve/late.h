/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions or tracepoints of modules that are not loaded yet, chosen by selectors that name
 * their module (no glob): deferred layouts, made from the module's file.
 */
#ifndef FARGS_CTL_LATE_H
#define FARGS_CTL_LATE_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "select/resolve/select.h"
#include "kernel/sym/module_file.h"
#include "base/error.h"

/* One such module. */
struct fargs_late_module {
	char name[64];
	struct fargs_module_file *file;
	struct fargs_ksyms *tpoints;	/* NULL: functions were asked for */
	struct fargs_select *sel;	/* of them; addresses mean nothing */
};

struct fargs_late {
	struct fargs_late_module *modules;
	size_t nr_modules;
	const char **wanted;		/* selectors of everything else */
	size_t nr_wanted;
	struct fargs_layouts layouts;	/* deferred, of all modules' picks, in their order */
};

/*
 * Takes those out of @patterns; those left are in late->wanted. Adds the modules' BTF to
 * kernel->btfs, which, like what @patterns points to, must outlive it. -errno with
 * the reason in @err: also when there is no such module, or the file's BTF is of no
 * use. To be deinitialised in either case.
 */
int fargs_late_init(struct fargs_late *late, const struct fargs_patterns *patterns,
		    const struct fargs_kernel *kernel, struct fargs_error_text *err);
void fargs_late_deinit(struct fargs_late *late);

#endif
