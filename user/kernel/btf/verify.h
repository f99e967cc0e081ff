/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF out of a trace file is a stranger's. libbpf looks at sizes when it reads
 * it, but follows what it says from then on: an id or a name that is not there
 * is a crash, a type that contains itself an endless loop, and one that
 * contains another twice, thirty levels deep, a text without end.
 */
#ifndef FARGS_BTF_VERIFY_H
#define FARGS_BTF_VERIFY_H

#include <bpf/btf.h>

#include "base/error.h"

/*
 * Checks that all of @btf (of split BTF its own part, on a base that was
 * checked) can be looked up, walked and written as C. @name is for the error.
 * -EINVAL, or -ENOMEM.
 */
int fargs_btf_verify(const struct btf *btf, const char *name, struct fargs_error_text *err);

#endif
