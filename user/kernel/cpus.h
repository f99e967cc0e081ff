/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses CPU lists as the kernel writes them: "0-3,7".
 */
#ifndef FARGS_KERNEL_CPUS_H
#define FARGS_KERNEL_CPUS_H

#include <stdbool.h>

/* Sets the CPUs in @text among @nr in @cpus, leaving others unchanged. -EINVAL: not a list. */
int fargs_cpus_parse(const char *text, bool *cpus, unsigned int nr);

/* Sets or clears each entry of @cpus, by whether that CPU is online. -errno. */
int fargs_cpus_online(bool *cpus, unsigned int nr);

#endif
