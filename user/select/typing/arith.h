/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arithmetic as in C: the types of results, and their values. Numbers wrap at the width of their
 * type, as in the kernel, whose compiler has -fno-strict-overflow.
 */
#ifndef FARGS_SELECT_TYPING_ARITH_H
#define FARGS_SELECT_TYPING_ARITH_H

#include <stdbool.h>
#include <stdint.h>

#include "select/syntax/node.h"
#include "select/typing/scalar.h"

/* Returns an integer type of @bits, 8 to 64. */
struct fargs_scalar fargs_arith_integer(unsigned int bits, bool is_signed);
/* Returns the type of a constant: int, long or unsigned long, the first that can represent it. */
struct fargs_scalar fargs_arith_constant(__int128 value);
/* Returns the type of @s after C's integer promotions; that of a pointer is unsigned long. */
struct fargs_scalar fargs_arith_promote(const struct fargs_scalar *s);
/* Returns the type to which both operands of @kind, a FARGS_NODE_MUL to _BITOR, are converted. */
struct fargs_scalar fargs_arith_common(enum fargs_node_kind kind, const struct fargs_scalar *a,
				       const struct fargs_scalar *b);
/* Converts @value to the type @s. */
__int128 fargs_arith_convert(__int128 value, const struct fargs_scalar *s);
/* Computes "a op b"; both have been converted to the type @s. A shift is by 0 to 63 bits. */
__int128 fargs_arith_compute(enum fargs_node_kind kind, __int128 a, __int128 b,
			     const struct fargs_scalar *s);

#endif
