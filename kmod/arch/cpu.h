/* SPDX-License-Identifier: GPL-2.0-only */
/* Operations that an interrupt on the same CPU cannot split, and the CPU's flags. */
#ifndef FARGS_KMOD_ARCH_CPU_H
#define FARGS_KMOD_ARCH_CPU_H

#ifdef __x86_64__
#include "arch/x86/cpu.h"
#else
#error "kmod/arch has no folder for this CPU"
#endif

#endif
