/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Generates C functions from which an optimizing compiler makes clones that take other arguments
 * (.constprop, .isra).
 */
#ifndef SELFTESTS_UNIT_ORACLE_CLONES_H
#define SELFTESTS_UNIT_ORACLE_CLONES_H

#include <stdio.h>

/*
 * Writes C code: for each kind of change, and each argument to which it can apply, a function
 * "c<id>" with its callers, and a function "t<id>" of the same type, which is not optimized.
 * Returns the number of functions "c<id>".
 */
unsigned int oracle_put_clones(FILE *out);

#endif
