/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks which addresses may be read. */
#ifndef FARGS_KMOD_ARCH_MEM_H
#define FARGS_KMOD_ARCH_MEM_H

#ifdef __x86_64__
#include "arch/x86/mem.h"
#else
#error "unsupported architecture: it has no directory in kmod/arch"
#endif

#endif
