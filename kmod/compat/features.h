/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FARGS_HAS_*: what this kernel has (compat/features.c). Kbuild makes the file, and gives it the
 * name of a product of kbuild, so that whatever cleans up, or copies sources alone, knows it.
 */
#ifndef FARGS_KMOD_COMPAT_FEATURES_H
#define FARGS_KMOD_COMPAT_FEATURES_H

#include "compat/features.mod"

#endif
