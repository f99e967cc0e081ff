/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers of a call's arguments and of the return value; the callers of a call. */
#ifndef FARGS_KMOD_ARCH_REGS_H
#define FARGS_KMOD_ARCH_REGS_H

#ifdef __x86_64__
#include "arch/x86/regs.h"
#else
#error "kmod/arch has no folder for this CPU"
#endif

#endif
