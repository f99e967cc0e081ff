/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols by which fargs.ko finds functions and tracepoints of a loaded module again, after the
 * module was unloaded and the same build of it is loaded again.
 */
#ifndef FARGS_SELECT_RESOLVE_RELOAD_H
#define FARGS_SELECT_RESOLVE_RELOAD_H

#include <stddef.h>

#include "kernel/btf/file.h"
#include "kernel/sym/ksyms.h"
#include "select/resolve/select.h"
#include "uapi/fargs_layout.h"

struct fargs_reload_module {
	const char *name;
	struct fargs_build_id id;
};

/* The build IDs of loaded modules, each read once. Initialize with zeroes. */
struct fargs_reload_modules {
	struct fargs_reload_module *modules;
	size_t nr;
	size_t last;			/* index of the module that was last asked for */
	const char *sysfs;		/* NULL: "/sys" */
};

void fargs_reload_modules_deinit(struct fargs_reload_modules *r);

/*
 * Fills @symbol for @sym, one of @ksyms, and returns FARGS_RELOAD_YES; or returns the reason why
 * the module must not look for @sym by its name. @is_tpoint: @sym is a tracepoint.
 */
enum fargs_reload fargs_reload_find(struct fargs_reload_modules *r, const struct fargs_ksyms *ksyms,
				    const struct fargs_ksym *sym, bool is_tpoint,
				    struct fargs_symbol *symbol);

#endif
