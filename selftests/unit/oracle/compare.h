/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compares a layout with the DWARF of its function: each byte of each argument must be stored from
 * the register or slot where the compiler has put it.
 */
#ifndef SELFTESTS_UNIT_ORACLE_COMPARE_H
#define SELFTESTS_UNIT_ORACLE_COMPARE_H

#include <stdbool.h>

#include "unit/oracle/dwarf.h"

struct oracle_comparison {
	unsigned int nr_same;	/* number of arguments in the same places */
	unsigned int nr_wrong;	/* arguments in other places, or only in the layout or DWARF */
	/* number of arguments whose places at entry DWARF does not describe completely */
	unsigned int nr_unsaid;
	bool has_struct;
	bool has_128;
	bool has_stack;
	/*
	 * text about the first wrong argument or, if there is none, the first that DWARF does not
	 * describe
	 */
	char wrong[128];
};

/* @layout: a layout made by fargs_layout_compile(). */
void oracle_compare(struct oracle_comparison *cmp, const unsigned char *layout,
		    const struct oracle_func *func);

#endif
