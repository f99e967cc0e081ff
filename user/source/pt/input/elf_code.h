/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code out of ELF files: a copy of /proc/kcore, a vmlinux.
 */
#ifndef FARGS_PT_ELF_CODE_H
#define FARGS_PT_ELF_CODE_H

#include "source/pt/input/input.h"
#include "base/error.h"

/* Adds what @path loads into memory, as the kernel's. -errno with @err. */
int fargs_elf_code_add(struct fargs_pt_input *in, const char *path, struct fargs_error_text *err);

#endif
