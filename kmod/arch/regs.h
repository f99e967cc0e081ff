/* SPDX-License-Identifier: GPL-2.0-only */
/* Access to the argument registers and the return value of a call, and to its callers. */
#ifndef FARGS_KMOD_ARCH_REGS_H
#define FARGS_KMOD_ARCH_REGS_H

#ifdef __x86_64__
#include "arch/x86/regs.h"
#else
#error "unsupported architecture: it has no directory in kmod/arch"
#endif

#endif
