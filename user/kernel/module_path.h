/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the files of modules that are not loaded.
 */
#ifndef FARGS_KERNEL_MODULE_PATH_H
#define FARGS_KERNEL_MODULE_PATH_H

#include "base/error.h"

/*
 * Returns the path of the file that modprobe would load for @module, a name with underscores. It is
 * looked up in modules.dep of the running kernel below @dir. The caller frees it. Returns NULL with
 * the reason in @err if there is no such module, or it is built into the kernel.
 */
char *fargs_module_path(const char *dir, const char *module, struct fargs_error_text *err);

#endif
