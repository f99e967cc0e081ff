/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constants of the kernel's interface that BTF does not contain: errors, and flags of system
 * calls.
 */
#ifndef FARGS_SELECT_TYPING_NAMES_H
#define FARGS_SELECT_TYPING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/near.h"

/* Finds the constant whose name is the @len bytes at @name. */
bool fargs_names_find(const char *name, size_t len, int64_t *value);
/* Offers the names of all constants to @near. */
void fargs_names_offer(struct fargs_near *near);

#endif
