/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: which functions to trace, and what to fetch and require of their calls
 * (fargs-select(7)).
 *
 *	[MODULE:]GLOB [ '(' items [ '|' condition ] ')' ] [ '->' items [ '|' condition ] ]
 */
#ifndef FARGS_SELECT_SYNTAX_SELECTOR_H
#define FARGS_SELECT_SYNTAX_SELECTOR_H

#include <stdbool.h>

#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/syntax/parse.h"

struct fargs_selector {
	char *text;			/* as written */
	char *function;			/* [MODULE:]GLOB */
	struct fargs_items entry;
	struct fargs_items at_return;
	bool has_return;		/* there was a '->' */
	struct fargs_nodes nodes;
};

/* 0, or negative with the diagnostic in @m. */
int fargs_selector_init(struct fargs_selector *sel, const char *text, struct fargs_diagnostic *m);
/*
 * Parses a condition alone, as a filter for all calls: it is in entry.condition, and function is
 * NULL.
 */
int fargs_selector_init_filter(struct fargs_selector *sel, const char *text,
			       struct fargs_diagnostic *m);
void fargs_selector_deinit(struct fargs_selector *sel);

/* Are they the same apart from their functions? */
bool fargs_selector_asks_same(const struct fargs_selector *a, const struct fargs_selector *b);
/* Does it consist of the function alone? */
bool fargs_selector_is_plain(const struct fargs_selector *sel);

#endif
