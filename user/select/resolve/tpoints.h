/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects tracepoints of the running kernel and its modules, for the option -t.
 */
#ifndef FARGS_SELECT_RESOLVE_TPOINTS_H
#define FARGS_SELECT_RESOLVE_TPOINTS_H

#include <stdbool.h>

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/sym/ksyms.h"
#include "select/codegen/compile.h"
#include "select/resolve/deferred.h"
#include "select/resolve/select.h"

/* Initialize with zeroes. */
struct fargs_tpoints {
	struct fargs_ksyms *ksyms;	/* symbols of all tracepoints: see fargs_tpoint_ksyms() */
	struct fargs_select *sel;	/* NULL: no tracepoint of a loaded module was requested */
	struct fargs_layouts layouts;	/* layouts of sel's matches, in the same order */
	struct fargs_deferred deferred;		/* tracepoints of modules that are not loaded */
};

/*
 * Makes a symbol for each tracepoint in @ksyms, with the name of the tracepoint and the address of
 * the kernel's function __traceiter_NAME. (The tracepoint's own symbol is a data symbol, which some
 * kernels do not export to user space.) Returns NULL with the reason in @err on failure.
 */
struct fargs_ksyms *fargs_tpoint_ksyms(const struct fargs_ksyms *ksyms,
				       struct fargs_error_text *err);

/*
 * Selects tracepoints by @rules, whose is_tpoint must be set. @is_survey: as for
 * fargs_select_by_rules(). @kernel and everything @rules points to must outlive @t; the BTF of
 * modules that are not loaded is added to kernel->btfs. Returns 0, or -errno with the reason in
 * @err. Call fargs_tpoints_deinit() in either case.
 */
int fargs_tpoints_init(struct fargs_tpoints *t, const struct fargs_rules *rules,
		       const struct fargs_kernel *kernel, bool is_survey,
		       struct fargs_error_text *err);
void fargs_tpoints_deinit(struct fargs_tpoints *t);

#endif
