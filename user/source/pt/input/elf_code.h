/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads kernel code from an ELF file: a copy of /proc/kcore, or a vmlinux.
 */
#ifndef FARGS_SOURCE_PT_INPUT_ELF_CODE_H
#define FARGS_SOURCE_PT_INPUT_ELF_CODE_H

#include "base/error.h"
#include "source/pt/input/input.h"

/*
 * Adds the executable segments of @path to @in as kernel code, with @moved added to their
 * addresses. Returns 0 or -errno with @err.
 */
int fargs_elf_code_add(struct fargs_pt_input *in, const char *path, uint64_t moved,
		       struct fargs_error_text *err);

#endif
