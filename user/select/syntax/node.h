/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Syntax trees of expressions.
 */
#ifndef FARGS_SELECT_SYNTAX_NODE_H
#define FARGS_SELECT_SYNTAX_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fargs_node_kind {
	FARGS_NODE_NUMBER,
	FARGS_NODE_TIME,	/* a time; @number is in ns */
	FARGS_NODE_STRING,	/* @text is as written, without the quotes */
	FARGS_NODE_NAME,	/* an argument, ret or a constant, depending on the function */
	FARGS_NODE_CONTEXT,	/* $text */
	FARGS_NODE_VARIABLE,	/* @text */
	FARGS_NODE_MEMBER,	/* a.text, or a->text if @is_arrow is set */
	FARGS_NODE_INDEX,	/* a[b] */
	FARGS_NODE_RANGE,	/* a[b..c] */
	FARGS_NODE_DEREF,	/* *a */
	FARGS_NODE_FORMAT,	/* a:format */
	FARGS_NODE_NEGATIVE,	/* -a */
	FARGS_NODE_INVERT,	/* ~a */
	FARGS_NODE_ADDRESS,	/* &a */
	FARGS_NODE_TYPE,	/* @text with @tag, and @number times '*' */
	FARGS_NODE_CAST,	/* (b)a; b is a FARGS_NODE_TYPE */
	FARGS_NODE_SIZEOF,	/* sizeof(a); a may be a FARGS_NODE_TYPE */
	/* container_of(a, b, c); b is a FARGS_NODE_TYPE, and c a member of it */
	FARGS_NODE_CONTAINER,
	FARGS_NODE_SPAN,	/* a...b, only in the list of FARGS_NODE_IN */
	FARGS_NODE_MUL,		/* this and the kinds up to FARGS_NODE_BITOR: a op b */
	FARGS_NODE_ADD,
	FARGS_NODE_SUB,
	FARGS_NODE_SHL,
	FARGS_NODE_SHR,
	FARGS_NODE_BITAND,
	FARGS_NODE_BITXOR,
	FARGS_NODE_BITOR,
	FARGS_NODE_NOT,		/* FARGS_NODE_NOT and all kinds below are conditions */
	FARGS_NODE_AND,
	FARGS_NODE_OR,
	FARGS_NODE_EQ,
	FARGS_NODE_NE,
	FARGS_NODE_LT,
	FARGS_NODE_LE,
	FARGS_NODE_GT,
	FARGS_NODE_GE,
	FARGS_NODE_IN,		/* a in {b, ...}; b is the first node of a list */
};

/* The word before the name of a type. */
enum fargs_tag {
	FARGS_TAG_NONE,		/* a typedef, or one of C's own types */
	FARGS_TAG_STRUCT,
	FARGS_TAG_UNION,
	FARGS_TAG_ENUM,
};

enum fargs_format {
	FARGS_FORMAT_NONE,
	FARGS_FORMAT_STR,	/* :str */
	FARGS_FORMAT_USTR,	/* :ustr */
	FARGS_FORMAT_HEX,	/* :x */
	FARGS_FORMAT_DECIMAL,	/* :d */
	FARGS_FORMAT_UNSIGNED,	/* :u */
	FARGS_FORMAT_OCTAL,	/* :o */
	FARGS_FORMAT_PATH,	/* :path */
	FARGS_FORMAT_CGROUP,	/* :cgroup */
	FARGS_FORMAT_BDEV,	/* :bdev */
	FARGS_FORMAT_MAC,	/* :mac */
	FARGS_FORMAT_UUID,	/* :uuid */
	FARGS_FORMAT_INET,	/* :inet */
	FARGS_FORMAT_SKB,	/* :skb */
	FARGS_FORMATS,
};

/* Does @format show a kernel object as a string (select/typing/printer.h)? */
static inline bool fargs_format_is_object(enum fargs_format format)
{
	return format >= FARGS_FORMAT_PATH && format < FARGS_FORMATS;
}

/* Returns the name of a format other than FARGS_FORMAT_NONE, without the colon. */
const char *fargs_format_name(enum fargs_format format);
/* Returns the format called the @len bytes at @name, or FARGS_FORMAT_NONE. */
enum fargs_format fargs_format_find(const char *name, size_t len);

struct fargs_node {
	enum fargs_node_kind kind;
	enum fargs_format format;
	enum fargs_tag tag;
	bool is_arrow;
	unsigned int column;
	unsigned int len;
	const char *text;	/* in the parsed text, or constant; not NUL-terminated */
	uint64_t number;
	struct fargs_node *a, *b, *c;
	struct fargs_node *next;	/* next item of the same list */
	struct fargs_node *allocated;	/* the node that was allocated before this one */
};

/* All nodes of a parsed string; initialize with zeroes. */
struct fargs_nodes {
	struct fargs_node *last;
};

/* Allocates a node that @nodes owns. Returns NULL if out of memory. */
struct fargs_node *fargs_node_create(struct fargs_nodes *nodes, enum fargs_node_kind kind,
				     unsigned int column);
void fargs_nodes_deinit(struct fargs_nodes *nodes);

bool fargs_node_is(const struct fargs_node *node, const char *text);
/* Is @node a comparison, a bit test, or several of these joined by operators? */
bool fargs_node_is_condition(const struct fargs_node *node);
/* Does @node have an operator that computes a number from two others? */
bool fargs_node_is_arithmetic(const struct fargs_node *node);

/* Do @a and @b have the same meaning for any function? Either may be NULL. */
bool fargs_node_is_same(const struct fargs_node *a, const struct fargs_node *b);

/*
 * Writes @node as normalised text, without redundant blanks and parentheses: equal expressions
 * yield the same text. Truncates the text to @size - 1 bytes. Returns the full length of the text.
 */
size_t fargs_node_text(const struct fargs_node *node, char *buf, size_t size);

#endif
