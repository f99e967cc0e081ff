/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads kernel symbols of a guest from copies of its /proc/kallsyms and /proc/modules.
 */
#ifndef FARGS_KERNEL_GUEST_SYMBOLS_H
#define FARGS_KERNEL_GUEST_SYMBOLS_H

#include "base/error.h"

struct fargs_ksyms;

/*
 * Reads a copy of the guest's /proc/kallsyms. The caller frees the result with
 * fargs_ksyms_destroy(). Returns NULL with the reason in @err, which names @path.
 */
struct fargs_ksyms *fargs_guest_symbols_read(const char *path, struct fargs_error_text *err);

/*
 * Reads the modules' addresses from a copy of the guest's /proc/modules. Returns 0, or -errno with
 * the reason in @err.
 */
int fargs_guest_symbols_read_modules(struct fargs_ksyms *syms, const char *path,
				     struct fargs_error_text *err);

#endif
