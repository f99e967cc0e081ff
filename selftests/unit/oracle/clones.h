/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions in C of which an optimising compiler makes clones that take other
 * arguments (.constprop, .isra).
 */
#ifndef SELFTESTS_UNIT_ORACLE_CLONES_H
#define SELFTESTS_UNIT_ORACLE_CLONES_H

#include <stdio.h>

/*
 * C: for each change that such a clone can be, and each place of it, a function
 * "c<id>" with its callers; and "t<id>" of the same type, which is left as it is.
 * How many.
 */
unsigned int oracle_put_clones(FILE *out);

#endif
