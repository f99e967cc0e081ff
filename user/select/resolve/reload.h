/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that let fargs.ko find functions and tracepoints of a loaded module again if the module
 * is unloaded and the same build is loaded later.
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
	size_t last;			/* index of the module that was last looked up */
	const char *sysfs;		/* NULL: "/sys" */
};

void fargs_reload_modules_deinit(struct fargs_reload_modules *r);

/*
 * Fills @symbol for @sym, one of @ksyms, and returns FARGS_RELOAD_YES; or returns the reason why
 * fargs.ko must not look up @sym by its name after a reload. @is_tpoint: @sym is a tracepoint.
 */
enum fargs_reload fargs_reload_find(struct fargs_reload_modules *r, const struct fargs_ksyms *ksyms,
				    const struct fargs_ksym *sym, bool is_tpoint,
				    struct fargs_symbol *symbol);

#endif
