// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/parse.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "select/syntax/parse_type.h"

/* Maximum nesting of parentheses and unary operators. */
#define DEPTH_MAX	64
/*
 * Maximum number of arithmetic operators: a row of them makes a tree as deep as it is long, and a
 * program has no more instructions.
 */
#define OPERATORS_MAX	128
/* Enough for the names of all formats, in a message */
#define FORMATS_BYTES	128

int fargs_parser_init(struct fargs_parser *p, const char *text, size_t at,
		      struct fargs_nodes *nodes, struct fargs_diagnostic *m)
{
	*p = (struct fargs_parser){ .text = text, .next = at, .nodes = nodes, .diagnostic = m };
	return fargs_parser_take(p, p->token.kind) < 0 ? -EINVAL : 0;
}

int fargs_parser_take(struct fargs_parser *p, enum fargs_token_kind kind)
{
	int next;

	if (p->token.kind != kind)
		return 0;
	next = fargs_token_next(p->text, p->next, &p->token, p->diagnostic);
	if (next < 0)
		return next;
	p->next = next;
	return 1;
}

int fargs_parser_fail(struct fargs_parser *p, const char *wanted)
{
	const struct fargs_token *t = &p->token;

	if (t->kind == FARGS_TOKEN_END)
		return fargs_diagnostic_at(p->diagnostic, t->column, "%s is missing at the end",
					   wanted);
	return fargs_diagnostic_at(p->diagnostic, t->column, "expected %s, not '%.*s'",
				   wanted, t->len > 40 ? 40 : (int)t->len, t->text);
}

/*
 * On failure, all parse_*() functions below return NULL with the diagnostic set. They leave the
 * first unused token in p->token.
 */
static struct fargs_node *parse_or(struct fargs_parser *p);
static struct fargs_node *parse_bits(struct fargs_parser *p);
static struct fargs_node *parse_postfix(struct fargs_parser *p);
static struct fargs_node *parse_unary(struct fargs_parser *p);

struct fargs_node *fargs_parser_create(struct fargs_parser *p, enum fargs_node_kind kind,
				       unsigned int column)
{
	struct fargs_node *node = fargs_node_create(p->nodes, kind, column);

	if (!node)
		fargs_diagnostic_no_memory(p->diagnostic);
	return node;
}

static struct fargs_node *fail(struct fargs_parser *p, const char *wanted)
{
	fargs_parser_fail(p, wanted);
	return NULL;
}

/* Skips a token of @kind; if the token is of another kind, sets a diagnostic about @wanted. */
static bool expect(struct fargs_parser *p, enum fargs_token_kind kind, const char *wanted)
{
	int ret = fargs_parser_take(p, kind);

	if (!ret)
		fargs_parser_fail(p, wanted);
	return ret > 0;
}

static bool skip(struct fargs_parser *p)
{
	return fargs_parser_take(p, p->token.kind) > 0;
}

/* Limits the depth of nesting: every recursion passes through here. */
static bool enter(struct fargs_parser *p)
{
	if (p->depth == DEPTH_MAX) {
		fargs_diagnostic_at(p->diagnostic, p->token.column, "this is nested too deeply");
		return false;
	}
	p->depth++;
	return true;
}

static struct fargs_node *create(struct fargs_parser *p, enum fargs_node_kind kind,
				 unsigned int column)
{
	return fargs_parser_create(p, kind, column);
}

/* Creates a node from the current token, and skips the token. */
static struct fargs_node *take_leaf(struct fargs_parser *p, enum fargs_node_kind kind)
{
	struct fargs_node *node = create(p, kind, p->token.column);

	if (!node)
		return NULL;
	node->text = p->token.text;
	node->len = p->token.len;
	node->number = p->token.number;
	return skip(p) ? node : NULL;
}

/* Parses a type, or with @is_any any value, in the parentheses of "sizeof" and the like. */
static struct fargs_node *parse_operand(struct fargs_parser *p, bool is_any)
{
	if (p->token.kind == FARGS_TOKEN_NAME && fargs_parser_is_type(p, !is_any))
		return fargs_parse_type(p);
	return is_any ? parse_or(p) : fail(p, "a type");
}

/* Parses "sizeof(a)" and "container_of(a, b, c)". */
static struct fargs_node *parse_call(struct fargs_parser *p, enum fargs_node_kind kind)
{
	struct fargs_node *node = create(p, kind, p->token.column);

	if (!node || !skip(p) || !expect(p, FARGS_TOKEN_LPAREN, "'('") || !enter(p))
		return NULL;
	p->nr_open++;
	if (kind == FARGS_NODE_SIZEOF) {
		node->a = parse_operand(p, true);
		if (!node->a)
			return NULL;
	} else {
		node->a = parse_or(p);
		if (!node->a || !expect(p, FARGS_TOKEN_COMMA, "','"))
			return NULL;
		node->b = parse_operand(p, false);
		if (!node->b || !expect(p, FARGS_TOKEN_COMMA, "','"))
			return NULL;
		node->c = p->token.kind == FARGS_TOKEN_NAME ? parse_postfix(p)
							    : fail(p, "the name of a member");
		if (!node->c)
			return NULL;
	}
	p->nr_open--;
	p->depth--;
	return expect(p, FARGS_TOKEN_RPAREN, "')'") ? node : NULL;
}

static bool is_call(const struct fargs_parser *p, const char *name)
{
	return p->token.len == strlen(name) && !memcmp(p->token.text, name, p->token.len) &&
	       fargs_parser_peek(p) == FARGS_TOKEN_LPAREN;
}

static struct fargs_node *parse_primary(struct fargs_parser *p)
{
	struct fargs_node *node;

	switch (p->token.kind) {
	case FARGS_TOKEN_NAME:
		if (is_call(p, "sizeof"))
			return parse_call(p, FARGS_NODE_SIZEOF);
		if (is_call(p, "container_of"))
			return parse_call(p, FARGS_NODE_CONTAINER);
		return take_leaf(p, FARGS_NODE_NAME);
	case FARGS_TOKEN_CONTEXT:
		return take_leaf(p, FARGS_NODE_CONTEXT);
	case FARGS_TOKEN_VARIABLE:
		return take_leaf(p, FARGS_NODE_VARIABLE);
	case FARGS_TOKEN_NUMBER:
		return take_leaf(p, FARGS_NODE_NUMBER);
	case FARGS_TOKEN_TIME:
		return take_leaf(p, FARGS_NODE_TIME);
	case FARGS_TOKEN_STRING:
		return take_leaf(p, FARGS_NODE_STRING);
	case FARGS_TOKEN_LPAREN:
		if (!skip(p) || !enter(p))
			return NULL;
		p->nr_open++;
		node = parse_or(p);
		p->nr_open--;
		p->depth--;
		return node && expect(p, FARGS_TOKEN_RPAREN, "')'") ? node : NULL;
	default:
		return fail(p, "a value");
	}
}

static struct fargs_node *parse_member(struct fargs_parser *p, struct fargs_node *base)
{
	struct fargs_node *node = create(p, FARGS_NODE_MEMBER, base->column);

	if (!node)
		return NULL;
	node->a = base;
	node->is_arrow = p->token.kind == FARGS_TOKEN_ARROW;
	if (!skip(p))
		return NULL;
	if (p->token.kind != FARGS_TOKEN_NAME)
		return fail(p, "the name of a member");
	node->column = p->token.column;
	node->text = p->token.text;
	node->len = p->token.len;
	return skip(p) ? node : NULL;
}

static struct fargs_node *parse_bracket(struct fargs_parser *p, struct fargs_node *base)
{
	struct fargs_node *node = create(p, FARGS_NODE_INDEX, p->token.column);
	int ret;

	if (!node || !skip(p) || !enter(p))
		return NULL;
	p->nr_open++;
	node->a = base;
	node->b = parse_bits(p);
	ret = node->b ? fargs_parser_take(p, FARGS_TOKEN_DOTS) : -EINVAL;
	if (ret > 0) {
		node->kind = FARGS_NODE_RANGE;
		node->c = parse_bits(p);
		if (!node->c)
			ret = -EINVAL;
	}
	p->nr_open--;
	p->depth--;
	return ret >= 0 && expect(p, FARGS_TOKEN_RBRACKET, "']'") ? node : NULL;
}

static struct fargs_node *parse_postfix(struct fargs_parser *p)
{
	struct fargs_node *node = parse_primary(p);

	while (node) {
		if (p->token.kind == FARGS_TOKEN_ARROW || p->token.kind == FARGS_TOKEN_DOT)
			node = parse_member(p, node);
		else if (p->token.kind == FARGS_TOKEN_LBRACKET)
			node = parse_bracket(p, node);
		else
			break;
	}
	return node;
}

static struct fargs_node *parse_cast(struct fargs_parser *p)
{
	struct fargs_node *node = create(p, FARGS_NODE_CAST, p->token.column);

	if (!node || !skip(p) || !enter(p))
		return NULL;
	node->b = fargs_parse_type(p);
	if (!node->b || !expect(p, FARGS_TOKEN_RPAREN, "'*' or ')' after the type"))
		return NULL;
	node->a = parse_unary(p);
	p->depth--;
	return node->a ? node : NULL;
}

static struct fargs_node *parse_unary(struct fargs_parser *p)
{
	struct fargs_node *node;
	enum fargs_node_kind kind;

	switch (p->token.kind) {
	case FARGS_TOKEN_STAR:
		kind = FARGS_NODE_DEREF;
		break;
	case FARGS_TOKEN_MINUS:
		kind = FARGS_NODE_NEGATIVE;
		break;
	case FARGS_TOKEN_TILDE:
		kind = FARGS_NODE_INVERT;
		break;
	case FARGS_TOKEN_AND:
		kind = FARGS_NODE_ADDRESS;
		break;
	case FARGS_TOKEN_LPAREN:
		return fargs_parser_is_type(p, false) ? parse_cast(p) : parse_postfix(p);
	default:
		return parse_postfix(p);
	}
	node = create(p, kind, p->token.column);
	if (!node || !skip(p) || !enter(p))
		return NULL;
	node->a = parse_unary(p);
	p->depth--;
	return node->a ? node : NULL;
}

/* Reports that the current token is not a format, and lists the formats. */
static struct fargs_node *fail_format(struct fargs_parser *p)
{
	const struct fargs_token *t = &p->token;
	char names[FORMATS_BYTES] = "";
	enum fargs_format f;
	size_t n = 0;

	if (t->kind != FARGS_TOKEN_NAME)
		return fail(p, "a format, such as x, str or path");
	for (f = FARGS_FORMAT_NONE + 1; f < FARGS_FORMATS && n < sizeof(names); f++)
		n += snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "",
			      fargs_format_name(f));
	fargs_diagnostic_at(p->diagnostic, t->column,
			    "there is no format '%.*s': the formats are %s",
			    t->len > 40 ? 40 : (int)t->len, t->text, names);
	return NULL;
}

static struct fargs_node *parse_formatted(struct fargs_parser *p)
{
	struct fargs_node *value = parse_unary(p), *node;

	if (!value || p->token.kind != FARGS_TOKEN_COLON)
		return value;
	if (!skip(p))
		return NULL;
	node = create(p, FARGS_NODE_FORMAT, p->token.column);
	if (!node)
		return NULL;
	node->a = value;
	if (p->token.kind == FARGS_TOKEN_NAME)
		node->format = fargs_format_find(p->token.text, p->token.len);
	if (!node->format)
		return fail_format(p);
	return skip(p) ? node : NULL;
}

static struct fargs_node *join(struct fargs_parser *p, enum fargs_node_kind kind,
			       struct fargs_node *a, struct fargs_node *b, unsigned int column)
{
	struct fargs_node *node = a && b ? create(p, kind, column) : NULL;

	if (node) {
		node->a = a;
		node->b = b;
	}
	return node;
}

/*
 * Parses operands that are separated by @mark, each with @parse, and joins them from left to right.
 */
static struct fargs_node *parse_row(struct fargs_parser *p, enum fargs_token_kind mark,
				    enum fargs_node_kind kind,
				    struct fargs_node *(*parse)(struct fargs_parser *p))
{
	struct fargs_node *node = parse(p);

	while (node && p->token.kind == mark) {
		unsigned int column = p->token.column;

		node = skip(p) ? join(p, kind, node, parse(p), column) : NULL;
	}
	return node;
}

/* The levels of arithmetic operators, from the one that binds tightest. */
static const struct level {
	enum fargs_token_kind marks[2];
	enum fargs_node_kind kinds[2];
} levels[] = {
	{ { FARGS_TOKEN_STAR, FARGS_TOKEN_STAR }, { FARGS_NODE_MUL, FARGS_NODE_MUL } },
	{ { FARGS_TOKEN_PLUS, FARGS_TOKEN_MINUS }, { FARGS_NODE_ADD, FARGS_NODE_SUB } },
	{ { FARGS_TOKEN_SHL, FARGS_TOKEN_SHR }, { FARGS_NODE_SHL, FARGS_NODE_SHR } },
	{ { FARGS_TOKEN_AND, FARGS_TOKEN_AND }, { FARGS_NODE_BITAND, FARGS_NODE_BITAND } },
	{ { FARGS_TOKEN_XOR, FARGS_TOKEN_XOR }, { FARGS_NODE_BITXOR, FARGS_NODE_BITXOR } },
	{ { FARGS_TOKEN_OR, FARGS_TOKEN_OR }, { FARGS_NODE_BITOR, FARGS_NODE_BITOR } },
};

#define NR_LEVELS	(sizeof(levels) / sizeof(levels[0]))

/* Parses operands that are joined by operators of the first @nr levels. */
static struct fargs_node *parse_levels(struct fargs_parser *p, size_t nr)
{
	const struct level *level;
	struct fargs_node *node;
	unsigned int column;
	enum fargs_node_kind kind;

	if (!nr)
		return parse_formatted(p);
	level = &levels[nr - 1];
	node = parse_levels(p, nr - 1);
	while (node && (p->token.kind == level->marks[0] || p->token.kind == level->marks[1])) {
		kind = level->kinds[p->token.kind != level->marks[0]];
		column = p->token.column;
		if (++p->nr_operators > OPERATORS_MAX) {
			fargs_diagnostic_at(p->diagnostic, column,
					    "there are more than %d operators", OPERATORS_MAX);
			return NULL;
		}
		node = skip(p) ? join(p, kind, node, parse_levels(p, nr - 1), column) : NULL;
	}
	return node;
}

static struct fargs_node *parse_bits(struct fargs_parser *p)
{
	/* Outside parentheses, '|' ends the list of items. */
	return parse_levels(p, p->nr_open ? NR_LEVELS : NR_LEVELS - 1);
}

static bool is_comparison(enum fargs_token_kind kind)
{
	return kind >= FARGS_TOKEN_EQ && kind <= FARGS_TOKEN_GE;
}

static struct fargs_node *parse_element(struct fargs_parser *p)
{
	struct fargs_node *node = parse_bits(p);
	unsigned int column = p->token.column;

	if (node && p->token.kind == FARGS_TOKEN_DOTS) {
		fargs_diagnostic_at(p->diagnostic, column, "write '...' for a range with both of "
				    "its ends");
		return NULL;
	}
	if (!node || p->token.kind != FARGS_TOKEN_ELLIPSIS)
		return node;
	return skip(p) ? join(p, FARGS_NODE_SPAN, node, parse_bits(p), column) : NULL;
}

/* Parses "in {b, c...d}"; @value is on its left. */
static struct fargs_node *parse_set(struct fargs_parser *p, struct fargs_node *value)
{
	struct fargs_node *node = create(p, FARGS_NODE_IN, p->token.column), **end;
	int ret;

	if (!node || !skip(p) || !expect(p, FARGS_TOKEN_LBRACE, "'{'"))
		return NULL;
	node->a = value;
	end = &node->b;
	p->nr_open++;
	do {
		*end = parse_element(p);
		if (!*end)
			return NULL;
		end = &(*end)->next;
		ret = fargs_parser_take(p, FARGS_TOKEN_COMMA);
	} while (ret > 0);
	p->nr_open--;
	return !ret && expect(p, FARGS_TOKEN_RBRACE, "an operator, ',' or '}'") ? node : NULL;
}

static bool is_in(const struct fargs_parser *p)
{
	return p->token.kind == FARGS_TOKEN_NAME && p->token.len == 2 &&
	       !memcmp(p->token.text, "in", 2);
}

static struct fargs_node *parse_comparison(struct fargs_parser *p)
{
	struct fargs_node *node = parse_bits(p);
	enum fargs_token_kind mark = p->token.kind;
	unsigned int column = p->token.column;

	if (node && is_in(p))
		return parse_set(p, node);
	if (!node || !is_comparison(mark))
		return node;
	if (!skip(p))
		return NULL;
	node = join(p, FARGS_NODE_EQ + (mark - FARGS_TOKEN_EQ), node, parse_bits(p), column);
	if (node && is_comparison(p->token.kind)) {
		fargs_diagnostic_at(p->diagnostic, p->token.column,
				    "comparisons cannot be chained: join them with &&");
		return NULL;
	}
	return node;
}

static struct fargs_node *parse_not(struct fargs_parser *p)
{
	struct fargs_node *node;

	if (p->token.kind != FARGS_TOKEN_NOT)
		return parse_comparison(p);
	node = create(p, FARGS_NODE_NOT, p->token.column);
	if (!node || !skip(p) || !enter(p))
		return NULL;
	node->a = parse_not(p);
	p->depth--;
	return node->a ? node : NULL;
}

static struct fargs_node *parse_and(struct fargs_parser *p)
{
	return parse_row(p, FARGS_TOKEN_AND_AND, FARGS_NODE_AND, parse_not);
}

static struct fargs_node *parse_or(struct fargs_parser *p)
{
	return parse_row(p, FARGS_TOKEN_OR_OR, FARGS_NODE_OR, parse_and);
}

struct fargs_node *fargs_parser_and(struct fargs_parser *p, struct fargs_node *a,
				    struct fargs_node *b)
{
	if (!a || !b)
		return a ? a : b;
	return join(p, FARGS_NODE_AND, a, b, b->column);
}

static int add_condition(struct fargs_parser *p, struct fargs_items *items,
			 struct fargs_node *node)
{
	items->condition = fargs_parser_and(p, items->condition, node);
	return items->condition ? 0 : -ENOMEM;
}

int fargs_parse_items(struct fargs_parser *p, struct fargs_items *items)
{
	struct fargs_node **end = &items->fetches, *node;
	int ret;

	do {
		node = parse_or(p);
		if (!node)
			return -p->diagnostic->code;
		if (!fargs_node_is_condition(node)) {
			*end = node;
			end = &node->next;
		} else if (add_condition(p, items, node)) {
			return -p->diagnostic->code;
		}
		ret = fargs_parser_take(p, FARGS_TOKEN_COMMA);
	} while (ret > 0);
	if (!ret)
		ret = fargs_parser_take(p, FARGS_TOKEN_OR);
	if (ret <= 0)
		return ret;
	node = parse_or(p);
	if (!node || add_condition(p, items, node))
		return -p->diagnostic->code;
	return 0;
}
