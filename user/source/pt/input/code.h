/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the address ranges of kernel code in the contents of /proc/kallsyms: the kernel image,
 * modules, BPF programs, and code that the kernel generates (ftrace trampolines, kprobe slots).
 */
#ifndef FARGS_SOURCE_PT_INPUT_CODE_H
#define FARGS_SOURCE_PT_INPUT_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Name of the kernel image. Other ranges have the name that is in brackets in /proc/kallsyms. */
#define FARGS_CODE_KERNEL	"[kernel]"

/* A range of whole pages that belong to one module. */
struct fargs_code_range {
	uint64_t addr, bytes;
	char name[64];
};

struct fargs_code_ranges {
	struct fargs_code_range *ranges;	/* sorted by address */
	size_t nr;
};

/*
 * Parses @size bytes at @text, followed by a NUL. Returns 0; -EINVAL with @err if a line does not
 * have the format of kallsyms, or if addresses are hidden or the kernel image is missing; or
 * -ENOMEM with @err.
 */
int fargs_code_ranges_init(struct fargs_code_ranges *all, const char *text, size_t size,
			   struct fargs_error_text *err);
void fargs_code_ranges_deinit(struct fargs_code_ranges *all);

#endif
