/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the names of flags from an event's format (the file "format" of tracefs): the kernel lists
 * them in __print_flags() with the values that they have in this kernel.
 */
#ifndef FARGS_KERNEL_VALUE_PRINT_FMT_H
#define FARGS_KERNEL_VALUE_PRINT_FMT_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/value/flags.h"

/*
 * Fills in @to with the flags by which @format, of @bytes bytes, prints the field @field. @width:
 * the size of a flag in bytes. The format may be from a file. Returns false if the field is not
 * printed as flags, or in a way that is not understood.
 */
bool fargs_print_fmt_flags(struct fargs_flag_table *to, const char *format, size_t bytes,
			   const char *field, unsigned int width);

#endif
