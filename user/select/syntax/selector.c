// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/selector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the length of the function's pattern, which ends at a blank, '(' or "->".
 * fargs_pattern_init() checks whether it is valid.
 */
static size_t function_len(const char *s)
{
	size_t n = 0;

	while (s[n] && !strchr(" \t\n(", s[n]) && !(s[n] == '-' && s[n + 1] == '>'))
		n++;
	return n;
}

static int copy_text(struct fargs_selector *sel, const char *text, struct fargs_diagnostic *m)
{
	*sel = (struct fargs_selector){ };
	if (strlen(text) > FARGS_EXPR_TEXT_MAX)
		return fargs_diagnostic_at(m, FARGS_EXPR_TEXT_MAX, "the selector is longer than %d "
					   "bytes",
					   FARGS_EXPR_TEXT_MAX);
	sel->text = strdup(text);
	return sel->text ? 0 : fargs_diagnostic_no_memory(m);
}

static int parse_entry(struct fargs_selector *sel, struct fargs_parser *p)
{
	int ret = fargs_parser_take(p, FARGS_TOKEN_LPAREN);

	if (ret <= 0)
		return ret;
	/* Accept empty parentheses: people write "vfs_read()" for functions. */
	ret = fargs_parser_take(p, FARGS_TOKEN_RPAREN);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = fargs_parse_items(p, &sel->entry);
	if (!ret)
		ret = fargs_parser_take(p, FARGS_TOKEN_RPAREN);
	if (!ret)
		return fargs_parser_fail(p, "an operator, ',' or ')'");
	return ret < 0 ? ret : 0;
}

static int parse_return(struct fargs_selector *sel, struct fargs_parser *p)
{
	int ret = fargs_parser_take(p, FARGS_TOKEN_ARROW);

	if (ret <= 0)
		return ret;
	sel->has_return = true;
	return fargs_parse_items(p, &sel->at_return);
}

static int parse(struct fargs_selector *sel, struct fargs_diagnostic *m)
{
	size_t start = strspn(sel->text, " \t\n");
	size_t len = function_len(sel->text + start);
	struct fargs_parser p;
	int ret;

	if (!len)
		return fargs_diagnostic_at(m, start + 1, "the name of a function is missing: write "
					   "NAME or MODULE:NAME");
	sel->function = strndup(sel->text + start, len);
	if (!sel->function)
		return fargs_diagnostic_no_memory(m);
	ret = fargs_parser_init(&p, sel->text, start + len, &sel->nodes, m);
	if (!ret)
		ret = parse_entry(sel, &p);
	if (!ret)
		ret = parse_return(sel, &p);
	if (!ret && p.token.kind != FARGS_TOKEN_END)
		ret = fargs_parser_fail(&p, sel->has_return ? "an operator, ',' or the end" :
					"'(', '->' or the end");
	return ret;
}

int fargs_selector_init(struct fargs_selector *sel, const char *text, struct fargs_diagnostic *m)
{
	int ret = copy_text(sel, text, m);

	if (!ret)
		ret = parse(sel, m);
	if (ret)
		fargs_selector_deinit(sel);
	return ret;
}

static int parse_filter(struct fargs_selector *sel, struct fargs_diagnostic *m)
{
	struct fargs_parser p;
	int ret = fargs_parser_init(&p, sel->text, 0, &sel->nodes, m);

	if (!ret)
		ret = fargs_parse_items(&p, &sel->entry);
	if (!ret && p.token.kind != FARGS_TOKEN_END)
		ret = fargs_parser_fail(&p, "an operator or the end");
	if (!ret && sel->entry.fetches)
		ret = fargs_diagnostic_at(m, sel->entry.fetches->column,
					  "this is a value, not a condition: compare it with "
					  "something");
	return ret;
}

int fargs_selector_init_filter(struct fargs_selector *sel, const char *text,
			       struct fargs_diagnostic *m)
{
	int ret = copy_text(sel, text, m);

	if (!ret)
		ret = parse_filter(sel, m);
	if (ret)
		fargs_selector_deinit(sel);
	return ret;
}

void fargs_selector_deinit(struct fargs_selector *sel)
{
	fargs_nodes_deinit(&sel->nodes);
	free(sel->function);
	free(sel->text);
	*sel = (struct fargs_selector){ };
}

bool fargs_selector_is_plain(const struct fargs_selector *sel)
{
	return !sel->entry.fetches && !sel->entry.condition && !sel->has_return;
}

static bool is_same(const struct fargs_items *a, const struct fargs_items *b)
{
	const struct fargs_node *x = a->fetches, *y = b->fetches;

	for (; x && y; x = x->next, y = y->next)
		if (!fargs_node_is_same(x, y))
			return false;
	return x == y && fargs_node_is_same(a->condition, b->condition);
}

bool fargs_selector_asks_same(const struct fargs_selector *a, const struct fargs_selector *b)
{
	return a->has_return == b->has_return && is_same(&a->entry, &b->entry) &&
	       is_same(&a->at_return, &b->at_return);
}
