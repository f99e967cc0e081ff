/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks if a file belongs to the running kernel or a loaded module by comparing build ids, and for
 * a module also its kernel release and srcversion.
 */
#ifndef FARGS_KERNEL_BTF_IDENTITY_H
#define FARGS_KERNEL_BTF_IDENTITY_H

#include "base/error.h"
#include "kernel/btf/file.h"

enum fargs_btf_identity {
	FARGS_BTF_IDENTITY_UNKNOWN,	/* the file or the kernel has no data to compare */
	FARGS_BTF_IDENTITY_SAME,
};

/*
 * @name: "vmlinux" or a module. @sysfs: "/sys". @release: kernel release from uname(2). Returns an
 * enum fargs_btf_identity, or -ESTALE with the reason in @err if the file is of another build.
 */
int fargs_btf_identity_check(const struct fargs_btf_file *file, const char *path,
			     const char *name, const char *sysfs, const char *release,
			     struct fargs_error_text *err);

/* Reads the build id of the loaded module @name; its size is 0 if it is unknown. */
void fargs_btf_identity_of_module(struct fargs_build_id *id, const char *sysfs, const char *name);

#endif
