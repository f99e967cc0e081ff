/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of CPUs, as the kernel writes them: "0-3,7".
 */
#ifndef FARGS_UTIL_CPUS_H
#define FARGS_UTIL_CPUS_H

#include <stdbool.h>

/* Sets those of @cpus, of @nr, that @text has; leaves the others. -EINVAL: it is no such text. */
int fargs_cpus_parse(const char *text, bool *cpus, unsigned int nr);

/* The CPUs that are online now: all of @cpus are set or cleared. -errno. */
int fargs_cpus_online(bool *cpus, unsigned int nr);

#endif
