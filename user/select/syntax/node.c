// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_names[FARGS_FORMATS] = {
	[FARGS_FORMAT_STR] = "str",
	[FARGS_FORMAT_USTR] = "ustr",
	[FARGS_FORMAT_HEX] = "x",
	[FARGS_FORMAT_DECIMAL] = "d",
	[FARGS_FORMAT_UNSIGNED] = "u",
	[FARGS_FORMAT_OCTAL] = "o",
	[FARGS_FORMAT_PATH] = "path",
	[FARGS_FORMAT_CGROUP] = "cgroup",
	[FARGS_FORMAT_BDEV] = "bdev",
	[FARGS_FORMAT_MAC] = "mac",
	[FARGS_FORMAT_UUID] = "uuid",
	[FARGS_FORMAT_INET] = "inet",
	[FARGS_FORMAT_SKB] = "skb",
};

const char *fargs_format_name(enum fargs_format format)
{
	return format_names[format];
}

enum fargs_format fargs_format_find(const char *name, size_t len)
{
	enum fargs_format f;

	for (f = FARGS_FORMAT_NONE + 1; f < FARGS_FORMATS; f++)
		if (strlen(format_names[f]) == len && !memcmp(format_names[f], name, len))
			return f;
	return FARGS_FORMAT_NONE;
}

struct fargs_node *fargs_node_create(struct fargs_nodes *nodes, enum fargs_node_kind kind,
				     unsigned int column)
{
	struct fargs_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->kind = kind;
	node->column = column;
	node->allocated = nodes->last;
	nodes->last = node;
	return node;
}

void fargs_nodes_deinit(struct fargs_nodes *nodes)
{
	struct fargs_node *node;

	while ((node = nodes->last)) {
		nodes->last = node->allocated;
		free(node);
	}
}

bool fargs_node_is(const struct fargs_node *node, const char *text)
{
	return strlen(text) == node->len && !memcmp(text, node->text, node->len);
}

bool fargs_node_is_condition(const struct fargs_node *node)
{
	return node->kind >= FARGS_NODE_NOT || node->kind == FARGS_NODE_BITAND;
}

bool fargs_node_is_arithmetic(const struct fargs_node *node)
{
	return node->kind >= FARGS_NODE_MUL && node->kind <= FARGS_NODE_BITOR;
}

static bool is_same_list(const struct fargs_node *a, const struct fargs_node *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (!fargs_node_is_same(a, b))
			return false;
	return a == b;
}

bool fargs_node_is_same(const struct fargs_node *a, const struct fargs_node *b)
{
	bool is_number;

	if (!a || !b)
		return a == b;
	is_number = a->kind == FARGS_NODE_NUMBER || a->kind == FARGS_NODE_TIME;
	if (a->kind != b->kind || a->format != b->format || a->is_arrow != b->is_arrow ||
	    a->tag != b->tag || a->number != b->number)
		return false;
	if (!is_number && (a->len != b->len || (a->len && memcmp(a->text, b->text, a->len))))
		return false;
	if (a->kind == FARGS_NODE_IN)
		return fargs_node_is_same(a->a, b->a) && is_same_list(a->b, b->b);
	return fargs_node_is_same(a->a, b->a) && fargs_node_is_same(a->b, b->b) &&
	       fargs_node_is_same(a->c, b->c);
}

struct text {
	char *buf;
	size_t size;
	size_t len;
};

static void add(struct text *t, const char *s, size_t n)
{
	if (t->len + n < t->size)
		memcpy(t->buf + t->len, s, n);
	else if (t->len < t->size)
		memcpy(t->buf + t->len, s, t->size - t->len);
	t->len += n;
}

static void add_word(struct text *t, const char *s)
{
	add(t, s, strlen(s));
}

#define RANK_UNARY	11
#define RANK_POSTFIX	12

/* Returns the precedence of a node's operator, as in the parser: a higher value binds tighter. */
static unsigned int rank(const struct fargs_node *node)
{
	switch (node->kind) {
	case FARGS_NODE_OR:
		return 0;
	case FARGS_NODE_AND:
		return 1;
	case FARGS_NODE_NOT:
		return 2;
	case FARGS_NODE_EQ ... FARGS_NODE_IN:
	case FARGS_NODE_SPAN:
		return 3;
	case FARGS_NODE_BITOR:
		return 4;
	case FARGS_NODE_BITXOR:
		return 5;
	case FARGS_NODE_BITAND:
		return 6;
	case FARGS_NODE_SHL:
	case FARGS_NODE_SHR:
		return 7;
	case FARGS_NODE_ADD:
	case FARGS_NODE_SUB:
		return 8;
	case FARGS_NODE_MUL:
		return 9;
	case FARGS_NODE_FORMAT:
		return 10;
	case FARGS_NODE_DEREF:
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
	case FARGS_NODE_ADDRESS:
	case FARGS_NODE_CAST:
		return RANK_UNARY;
	default:
		return RANK_POSTFIX;
	}
}

static void put(struct text *t, const struct fargs_node *node);

static void put_in(struct text *t, const struct fargs_node *node, unsigned int min_rank)
{
	/* Inside parentheses, '|' is the bitwise or; outside, it ends the list of items. */
	bool is_open = rank(node) < min_rank || node->kind == FARGS_NODE_BITOR;

	if (is_open)
		add_word(t, "(");
	put(t, node);
	if (is_open)
		add_word(t, ")");
}

static void put_two(struct text *t, const struct fargs_node *node, const char *mark)
{
	put_in(t, node->a, rank(node));
	add_word(t, mark);
	put_in(t, node->b, rank(node) + 1);
}

static void put_member(struct text *t, const struct fargs_node *node)
{
	bool is_pointer = node->is_arrow;
	const struct fargs_node *base = node->a;

	/* Write (*p).x as p->x. */
	if (!is_pointer && base->kind == FARGS_NODE_DEREF) {
		is_pointer = true;
		base = base->a;
	}
	put_in(t, base, RANK_POSTFIX);
	add_word(t, is_pointer ? "->" : ".");
	add(t, node->text, node->len);
}

static void put_number(struct text *t, const struct fargs_node *node)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64 "%s", node->number,
		 node->kind == FARGS_NODE_TIME ? "ns" : "");
	add_word(t, number);
}

static void put_bracket(struct text *t, const struct fargs_node *node)
{
	put_in(t, node->a, RANK_POSTFIX);
	add_word(t, "[");
	put(t, node->b);
	if (node->kind == FARGS_NODE_RANGE) {
		add_word(t, "..");
		put(t, node->c);
	}
	add_word(t, "]");
}

/*
 * Separates the signs of "-(-x)" and "&(&x)": "&&" is another operator.
 */
static void put_unary(struct text *t, const struct fargs_node *node)
{
	bool is_open = node->kind == FARGS_NODE_ADDRESS && node->a->kind == FARGS_NODE_ADDRESS;

	add_word(t, node->kind == FARGS_NODE_DEREF ? "*" :
		 node->kind == FARGS_NODE_NEGATIVE ? "-" :
		 node->kind == FARGS_NODE_INVERT ? "~" : "&");
	put_in(t, node->a, is_open ? RANK_POSTFIX : RANK_UNARY);
}

static void put_type(struct text *t, const struct fargs_node *node)
{
	static const char *const tags[] = { "", "struct ", "union ", "enum " };
	uint64_t i;

	add_word(t, tags[node->tag]);
	add(t, node->text, node->len);
	if (node->number)
		add_word(t, " ");
	for (i = 0; i < node->number; i++)
		add_word(t, "*");
}

/*
 * Encloses an operand that begins with a sign in parentheses: "(loff_t)-x" could be a subtraction.
 */
static void put_cast(struct text *t, const struct fargs_node *node)
{
	bool has_sign = node->a->kind == FARGS_NODE_DEREF || node->a->kind == FARGS_NODE_NEGATIVE ||
			node->a->kind == FARGS_NODE_ADDRESS;

	add_word(t, "(");
	put_type(t, node->b);
	add_word(t, ")");
	put_in(t, node->a, has_sign ? RANK_POSTFIX : RANK_UNARY);
}

static void put_call(struct text *t, const struct fargs_node *node)
{
	add_word(t, node->kind == FARGS_NODE_SIZEOF ? "sizeof(" : "container_of(");
	put(t, node->a);
	if (node->kind == FARGS_NODE_CONTAINER) {
		add_word(t, ", ");
		put(t, node->b);
		add_word(t, ", ");
		put(t, node->c);
	}
	add_word(t, ")");
}

static void put_set(struct text *t, const struct fargs_node *node)
{
	const struct fargs_node *item;

	put_in(t, node->a, rank(node) + 1);
	add_word(t, " in {");
	for (item = node->b; item; item = item->next) {
		put(t, item);
		if (item->next)
			add_word(t, ", ");
	}
	add_word(t, "}");
}

static void put(struct text *t, const struct fargs_node *node)
{
	static const char *const marks[] = {
		[FARGS_NODE_SPAN] = "...", [FARGS_NODE_MUL] = "*", [FARGS_NODE_ADD] = "+",
		[FARGS_NODE_SUB] = "-", [FARGS_NODE_SHL] = "<<", [FARGS_NODE_SHR] = ">>",
		[FARGS_NODE_BITAND] = " & ", [FARGS_NODE_BITXOR] = "^", [FARGS_NODE_BITOR] = "|",
		[FARGS_NODE_AND] = " && ", [FARGS_NODE_OR] = " || ", [FARGS_NODE_EQ] = " == ",
		[FARGS_NODE_NE] = " != ", [FARGS_NODE_LT] = " < ", [FARGS_NODE_LE] = " <= ",
		[FARGS_NODE_GT] = " > ", [FARGS_NODE_GE] = " >= ",
	};

	switch (node->kind) {
	case FARGS_NODE_NUMBER:
	case FARGS_NODE_TIME:
		put_number(t, node);
		break;
	case FARGS_NODE_STRING:
		add_word(t, "\"");
		add(t, node->text, node->len);
		add_word(t, "\"");
		break;
	case FARGS_NODE_CONTEXT:
		add_word(t, "$");
		add(t, node->text, node->len);
		break;
	case FARGS_NODE_VARIABLE:
		add_word(t, "@");
		add(t, node->text, node->len);
		break;
	case FARGS_NODE_NAME:
		add(t, node->text, node->len);
		break;
	case FARGS_NODE_MEMBER:
		put_member(t, node);
		break;
	case FARGS_NODE_INDEX:
	case FARGS_NODE_RANGE:
		put_bracket(t, node);
		break;
	case FARGS_NODE_FORMAT:
		put_in(t, node->a, RANK_UNARY);
		add_word(t, ":");
		add_word(t, fargs_format_name(node->format));
		break;
	case FARGS_NODE_DEREF:
	case FARGS_NODE_NEGATIVE:
	case FARGS_NODE_INVERT:
	case FARGS_NODE_ADDRESS:
		put_unary(t, node);
		break;
	case FARGS_NODE_TYPE:
		put_type(t, node);
		break;
	case FARGS_NODE_CAST:
		put_cast(t, node);
		break;
	case FARGS_NODE_SIZEOF:
	case FARGS_NODE_CONTAINER:
		put_call(t, node);
		break;
	case FARGS_NODE_IN:
		put_set(t, node);
		break;
	case FARGS_NODE_NOT:
		add_word(t, "!");
		put_in(t, node->a, 4);
		break;
	default:
		put_two(t, node, marks[node->kind]);
	}
}

size_t fargs_node_text(const struct fargs_node *node, char *buf, size_t size)
{
	struct text t = { buf, size, 0 };

	put_in(&t, node, 0);
	if (size)
		buf[t.len < size ? t.len : size - 1] = '\0';
	return t.len;
}
