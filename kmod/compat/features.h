/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FARGS_HAS_*: the features of this kernel (compat/features.c). Kbuild generates the included file.
 * Its suffix, .mod, is that of files which kbuild itself generates: so tools that clean up, or
 * copy only sources, recognise it.
 */
#ifndef FARGS_KMOD_COMPAT_FEATURES_H
#define FARGS_KMOD_COMPAT_FEATURES_H

#include "compat/features.mod"

#endif
