// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/kernel.h"

#include <errno.h>
#include <string.h>

#include "kernel/btf_files.h"

int fargs_kernel_load_btf(struct fargs_kernel *kernel, const struct fargs_list *btf,
			  struct fargs_error_text *err)
{
	struct fargs_btf_files *files;
	struct fargs_btfs_finder finder;
	const char *name;
	size_t i;

	if (!btf->nr) {
		kernel->btfs = fargs_btfs_load(NULL, err);
		return kernel->btfs ? 0 : -EINVAL;
	}
	files = fargs_btf_files_create(btf, kernel->ksyms, err);
	if (!files)
		return -EINVAL;
	finder = fargs_btf_files_finder(files);
	kernel->btfs = fargs_btfs_load(&finder, err);
	if (!kernel->btfs)
		return -EINVAL;
	/* Report an unusable file of --btf now, even if its module is not traced. */
	for (i = 0; (name = fargs_btf_files_name(files, i)); i++)
		if (!fargs_btfs_get(kernel->btfs, name, err))
			return -EINVAL;
	return 0;
}

int fargs_kernel_load_symbols(struct fargs_kernel *kernel, struct fargs_error_text *err)
{
	memset(kernel, 0, sizeof(*kernel));
	kernel->ksyms = fargs_ksyms_load(err);
	return kernel->ksyms ? 0 : -EINVAL;
}

int fargs_kernel_init(struct fargs_kernel *kernel, const struct fargs_list *btf,
		      struct fargs_error_text *err)
{
	if (fargs_kernel_load_symbols(kernel, err) || fargs_kernel_load_btf(kernel, btf, err))
		return -EINVAL;
	return 0;
}

void fargs_kernel_deinit(struct fargs_kernel *kernel)
{
	fargs_avail_destroy(kernel->avail);
	fargs_btfs_destroy(kernel->btfs);
	fargs_ksyms_destroy(kernel->ksyms);
	memset(kernel, 0, sizeof(*kernel));
}
