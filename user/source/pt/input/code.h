/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel has code: its own, that of modules, BPF programs and what it made itself
 * (trampolines of ftrace, slots of kprobes). Pure: lines of /proc/kallsyms in, ranges out.
 */
#ifndef FARGS_PT_CODE_H
#define FARGS_PT_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Of the kernel's own code; else what kallsyms has in brackets. */
#define FARGS_CODE_KERNEL	"[kernel]"

/* Whole pages, all of them of one module. */
struct fargs_code_range {
	uint64_t addr, bytes;
	char name[64];
};

struct fargs_code_ranges {
	struct fargs_code_range *ranges;	/* by address */
	size_t nr;
};

/*
 * Finds them in @size bytes at @text, with a NUL behind them. -EINVAL: they are no such
 * lines, addresses are hidden, or the kernel's own code is not among them; -ENOMEM.
 */
int fargs_code_ranges_init(struct fargs_code_ranges *all, const char *text, size_t size,
			   struct fargs_error_text *err);
void fargs_code_ranges_deinit(struct fargs_code_ranges *all);

#endif
