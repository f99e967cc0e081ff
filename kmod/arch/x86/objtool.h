/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_ARCH_X86_OBJTOOL_H
#define FARGS_KMOD_ARCH_X86_OBJTOOL_H

/* ANNOTATE_NOENDBR: the address is used, but is not a jump target. The header moved in 6.14. */
#include <linux/objtool.h>
/* sparse does not support __has_include, and needs no header for the code that it checks. */
#ifndef __CHECKER__
#if __has_include("linux/annotate.h")
#include <linux/annotate.h>
#endif
#endif

#endif
