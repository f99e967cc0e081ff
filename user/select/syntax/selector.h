/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selectors: which functions to trace, which values to fetch from their calls, and conditions on
 * the calls (fargs-select(7)).
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
	char *text;			/* the selector as written */
	char *function;			/* pattern of functions: [MODULE:]GLOB */
	struct fargs_items entry;
	struct fargs_items at_return;
	bool has_return;		/* the selector contains '->' */
	struct fargs_nodes nodes;
};

/* Parses @text. Returns 0, or a negative value with the diagnostic in @m. */
int fargs_selector_init(struct fargs_selector *sel, const char *text, struct fargs_diagnostic *m);
/*
 * Parses @text, which contains only a condition, as a filter for all calls. Stores the condition in
 * entry.condition; function is NULL.
 */
int fargs_selector_init_filter(struct fargs_selector *sel, const char *text,
			       struct fargs_diagnostic *m);
void fargs_selector_deinit(struct fargs_selector *sel);

/* Are @a and @b equal apart from their functions? */
bool fargs_selector_asks_same(const struct fargs_selector *a, const struct fargs_selector *b);
/* Does @sel consist of the function alone? */
bool fargs_selector_is_plain(const struct fargs_selector *sel);

#endif
