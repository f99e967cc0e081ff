/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A layout beside the DWARF of the function that it is for: is each byte of each
 * argument stored from the register or slot where the compiler has it?
 */
#ifndef SELFTESTS_UNIT_ORACLE_COMPARE_H
#define SELFTESTS_UNIT_ORACLE_COMPARE_H

#include <stdbool.h>

#include "unit/oracle/dwarf.h"

struct oracle_comparison {
	unsigned int nr_same;	/* arguments */
	unsigned int nr_wrong;	/* elsewhere, or not in both */
	unsigned int nr_unsaid;	/* DWARF does not say where all of it is at entry */
	bool has_struct;
	bool has_128;
	bool has_stack;
	char wrong[128];	/* the first of these, for a person; else the first unsaid */
};

/* @layout: as fargs_layout_compile appends it. */
void oracle_compare(struct oracle_comparison *cmp, const unsigned char *layout,
		    const struct oracle_func *func);

#endif
