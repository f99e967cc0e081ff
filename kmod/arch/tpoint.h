/* SPDX-License-Identifier: GPL-2.0-only */
/* The probe function shared by all tracepoints. */
#ifndef FARGS_KMOD_ARCH_TPOINT_H
#define FARGS_KMOD_ARCH_TPOINT_H

#ifdef __x86_64__
#include "arch/x86/tpoint.h"
#else
#error "unsupported architecture: it has no directory in kmod/arch"
#endif

#endif
