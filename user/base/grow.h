/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compatibility header: fargs_grow() is now in base/array.h.
 */
#ifndef FARGS_BASE_GROW_H
#define FARGS_BASE_GROW_H

#include "base/array.h"

#endif
