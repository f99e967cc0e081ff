/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What user space knows of the running kernel.
 */
#ifndef FARGS_CTL_KERNEL_H
#define FARGS_CTL_KERNEL_H

#include "kernel/btf/btfs.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"
#include "base/list.h"

struct fargs_kernel {
	struct fargs_ksyms *ksyms;
	struct fargs_btfs *btfs;
	/* Made when functions are chosen (ctl/traceable.h). NULL then: not known, because of: */
	struct fargs_avail *avail;
	struct fargs_error_text avail_err;
};

/*
 * @btf: what --btf was given. -errno with the reason in @err. To be deinitialised
 * in either case.
 */
int fargs_kernel_init(struct fargs_kernel *kernel, const struct fargs_list *btf,
		      struct fargs_error_text *err);
/*
 * Its second step alone: kernel->btfs, with kernel->ksyms there, which must outlive it.
 */
int fargs_kernel_load_btf(struct fargs_kernel *kernel, const struct fargs_list *btf,
			  struct fargs_error_text *err);
void fargs_kernel_deinit(struct fargs_kernel *kernel);

#endif
