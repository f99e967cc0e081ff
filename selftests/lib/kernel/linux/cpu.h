/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_CPU_H
#define SELFTESTS_KERNEL_CPU_H

#define cpus_read_trylock()		1
#define cpus_read_unlock()		do { } while (0)

#endif
