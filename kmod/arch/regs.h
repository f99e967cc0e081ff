/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a call has its arguments, and a return its value; who called. */
#ifndef FARGS_KMOD_ARCH_REGS_H
#define FARGS_KMOD_ARCH_REGS_H

#ifdef __x86_64__
#include "arch/x86/regs.h"
#else
#error "kmod/arch has no folder for this CPU"
#endif

#endif
