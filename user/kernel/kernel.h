/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The running kernel: its symbols, its BTF, and the functions that ftrace can trace.
 */
#ifndef FARGS_KERNEL_KERNEL_H
#define FARGS_KERNEL_KERNEL_H

#include "base/error.h"
#include "base/list.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"

struct fargs_kernel {
	struct fargs_ksyms *ksyms;
	struct fargs_btfs *btfs;
	/*
	 * The functions that ftrace can trace, read by fargs_traceable_select(). NULL: not read
	 * yet, or reading failed with the error avail_err.
	 */
	struct fargs_avail *avail;
	struct fargs_error_text avail_err;
};

/*
 * @btf: arguments of --btf. Returns 0, or -errno with the reason in @err. The caller calls
 * fargs_kernel_deinit() even on failure.
 */
int fargs_kernel_init(struct fargs_kernel *kernel, const struct fargs_list *btf,
		      struct fargs_error_text *err);
/* Initializes @kernel, and loads only the symbols. Returns 0 or -errno. */
int fargs_kernel_load_symbols(struct fargs_kernel *kernel, struct fargs_error_text *err);
/*
 * Loads only the BTF. kernel->ksyms must be set before, and outlive kernel->btfs. Returns 0 or
 * -errno.
 */
int fargs_kernel_load_btf(struct fargs_kernel *kernel, const struct fargs_list *btf,
			  struct fargs_error_text *err);
void fargs_kernel_deinit(struct fargs_kernel *kernel);

#endif
