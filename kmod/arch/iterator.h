/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the function that fired a tracepoint whose probes the kernel calls in a loop. */
#ifndef FARGS_KMOD_ARCH_ITERATOR_H
#define FARGS_KMOD_ARCH_ITERATOR_H

#ifdef __x86_64__
#include "arch/x86/iterator.h"
#else
#error "unsupported architecture: it has no directory in kmod/arch"
#endif

#endif
