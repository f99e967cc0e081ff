/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock that provides the timestamps of records. */
#ifndef FARGS_KMOD_ARCH_CLOCK_H
#define FARGS_KMOD_ARCH_CLOCK_H

#ifdef __x86_64__
#include "arch/x86/clock.h"
#else
#error "unsupported architecture: it has no directory in kmod/arch"
#endif

#endif
