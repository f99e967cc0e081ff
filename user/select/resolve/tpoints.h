/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints of the running kernel and its modules, and those of them that -t chooses.
 */
#ifndef FARGS_CTL_TPOINTS_H
#define FARGS_CTL_TPOINTS_H

#include <stdbool.h>

#include "kernel/kernel.h"
#include "select/resolve/late.h"
#include "select/codegen/compile.h"
#include "select/resolve/select.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"

/* Begin with zeroes. */
struct fargs_tpoints {
	struct fargs_ksyms *ksyms;	/* of all there are: see fargs_tpoint_ksyms() */
	struct fargs_select *sel;	/* NULL: none was asked for of what is loaded */
	struct fargs_layouts layouts;	/* of its picks, in their order, with their names */
	struct fargs_late late;		/* of modules that are not loaded */
};

/*
 * Symbols with the names of the tracepoints that @ksyms tells of, each at the address of the
 * kernel's function __traceiter_NAME. The tracepoint's own symbol is one of data, which not
 * every kernel shows. NULL with the reason in @err.
 */
struct fargs_ksyms *fargs_tpoint_ksyms(const struct fargs_ksyms *ksyms,
				       struct fargs_error_text *err);

/*
 * Chooses what @patterns, of which is_tpoint is set, ask for; none wanted: nothing.
 * @is_survey: as in fargs_select_survey(). @kernel, and what @patterns points to, must outlive
 * it; kernel->btfs gets those of modules that are not loaded. -errno with the reason
 * in @err. To be deinitialised in either case.
 */
int fargs_tpoints_init(struct fargs_tpoints *t, const struct fargs_patterns *patterns,
		       const struct fargs_kernel *kernel, bool is_survey,
		       struct fargs_error_text *err);
void fargs_tpoints_deinit(struct fargs_tpoints *t);

#endif
