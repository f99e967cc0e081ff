/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_COMPAT_OBJTOOL_H
#define FARGS_COMPAT_OBJTOOL_H

/* ANNOTATE_NOENDBR: the address is taken, but never jumped to. Moved in 6.14. */
#ifdef FARGS_HAS_ANNOTATE_H
#include <linux/annotate.h>
#else
#include <linux/objtool.h>
#endif

#endif
