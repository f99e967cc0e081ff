/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Operations that are atomic against interrupts on the same CPU, and functions that read the CPU's
 * flags and preempt count.
 */
#ifndef FARGS_KMOD_ARCH_CPU_H
#define FARGS_KMOD_ARCH_CPU_H

#ifdef __x86_64__
#include "arch/x86/cpu.h"
#else
#error "unsupported architecture: it has no directory in kmod/arch"
#endif

#endif
