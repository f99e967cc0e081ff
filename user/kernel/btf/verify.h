/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verifies BTF from a trace file, which is untrusted. libbpf checks sizes when it parses BTF, but
 * then relies on the contents: an invalid id or name is a crash, a type that contains itself an
 * endless loop, and one that contains another twice, thirty levels deep, an endless text.
 */
#ifndef FARGS_KERNEL_BTF_VERIFY_H
#define FARGS_KERNEL_BTF_VERIFY_H

#include <bpf/btf.h>

#include "base/error.h"

/*
 * Checks that all of @btf can be looked up, walked and written as C. Of split BTF only its own part
 * is checked; the base must have been checked before. @name is for the error. -EINVAL or -ENOMEM.
 */
int fargs_btf_verify(const struct btf *btf, const char *name, struct fargs_error_text *err);

#endif
