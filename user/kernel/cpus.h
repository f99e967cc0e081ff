/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses CPU lists as the kernel writes them: "0-3,7".
 */
#ifndef FARGS_KERNEL_CPUS_H
#define FARGS_KERNEL_CPUS_H

#include <stdbool.h>

/*
 * Sets the elements of @cpus (@nr CPUs) that @text lists, and leaves the others unchanged. Returns
 * 0, or -EINVAL if @text is not a list.
 */
int fargs_cpus_parse(const char *text, bool *cpus, unsigned int nr);

/*
 * Sets the elements of @cpus (@nr CPUs) that are online, and clears the others. Returns 0 or
 * -errno.
 */
int fargs_cpus_online(bool *cpus, unsigned int nr);

#endif
