/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_ARCH_X86_OBJTOOL_H
#define FARGS_KMOD_ARCH_X86_OBJTOOL_H

/* For ANNOTATE_NOENDBR, which marks an address that is used, but never as the target of a jump. */
#include <linux/objtool.h>
/*
 * Since 6.14, linux/annotate.h defines ANNOTATE_NOENDBR. sparse does not support __has_include, and
 * does not need the header for the code that it checks.
 */
#ifndef __CHECKER__
#if __has_include("linux/annotate.h")
#include <linux/annotate.h>
#endif
#endif

#endif
