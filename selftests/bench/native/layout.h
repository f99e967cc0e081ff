/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BENCH_NATIVE_LAYOUT_H
#define BENCH_NATIVE_LAYOUT_H

#include <stddef.h>

/*
 * Returns the layout of a function with two pointers, a number and an int, in the form that
 * FARGS_IOC_ADD requires; it is never freed. Sets *@bytes to its size.
 */
const void *layout_of_4(unsigned long addr, size_t *bytes);

#endif
