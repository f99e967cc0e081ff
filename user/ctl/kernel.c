// SPDX-License-Identifier: GPL-2.0-only
#include "ctl/kernel.h"

#include <errno.h>
#include <string.h>

int fargs_kernel_init(struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->ksyms = fargs_ksyms_load(err);
	if (!kernel->ksyms)
		return -EINVAL;
	kernel->btfs = fargs_btfs_load(err);
	if (!kernel->btfs)
		return -EINVAL;
	kernel->avail = fargs_avail_load(&kernel->avail_err);
	return 0;
}

void fargs_kernel_deinit(struct fargs_kernel *kernel)
{
	fargs_avail_destroy(kernel->avail);
	fargs_btfs_destroy(kernel->btfs);
	fargs_ksyms_destroy(kernel->ksyms);
	memset(kernel, 0, sizeof(*kernel));
}
