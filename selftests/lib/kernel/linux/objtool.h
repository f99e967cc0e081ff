/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_KERNEL_OBJTOOL_H
#define SELFTESTS_KERNEL_OBJTOOL_H

#define ANNOTATE_NOENDBR	""

#endif
