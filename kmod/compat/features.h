/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FARGS_HAS_*: the features of this kernel (compat/features.c). Kbuild generates the included file.
 * Its suffix, .mod, is one that kbuild uses for its own generated files, so that tools which clean
 * the tree or copy only sources treat it as generated.
 */
#ifndef FARGS_KMOD_COMPAT_FEATURES_H
#define FARGS_KMOD_COMPAT_FEATURES_H

#include "compat/features.mod"

#endif
