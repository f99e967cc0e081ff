/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verifies BTF, which is untrusted if it is from a trace file. libbpf checks sizes when it parses
 * BTF, but later trusts the contents. An invalid type id or name can crash it, and a type that
 * contains itself makes it loop forever. If each of thirty types contains the next one twice, its
 * output for the first type is practically endless.
 */
#ifndef FARGS_KERNEL_BTF_VERIFY_H
#define FARGS_KERNEL_BTF_VERIFY_H

#include <bpf/btf.h>

#include "base/error.h"

/*
 * Checks that all of @btf can safely be looked up, walked and written as C. For split BTF, checks
 * only its own part; the base must have been checked before. @name: used in the error message.
 * Returns 0, -EINVAL or -ENOMEM.
 */
int fargs_btf_verify(const struct btf *btf, const char *name, struct fargs_error_text *err);

#endif
