/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a file that of the running kernel, or of a module in it? Compared is what
 * both sides tell: build ids; for a module also the kernel it was built for and
 * the checksum of its sources.
 */
#ifndef FARGS_BTF_IDENTITY_H
#define FARGS_BTF_IDENTITY_H

#include "kernel/btf/file.h"
#include "base/error.h"

enum fargs_btf_identity {
	FARGS_BTF_IDENTITY_UNKNOWN,	/* one of the sides does not tell */
	FARGS_BTF_IDENTITY_SAME,
};

/*
 * @name: "vmlinux" or a module. @sysfs: "/sys"; @release as uname(2) tells it.
 * Returns one of the above, or -ESTALE with the reason in @err if it is another build.
 */
int fargs_btf_identity_check(const struct fargs_btf_file *file, const char *path,
			     const char *name, const char *sysfs, const char *release,
			     struct fargs_error_text *err);

#endif
