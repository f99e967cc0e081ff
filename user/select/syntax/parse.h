/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parser of items: fetches and conditions (see fargs-select(7)).
 */
#ifndef FARGS_SELECT_SYNTAX_PARSE_H
#define FARGS_SELECT_SYNTAX_PARSE_H

#include <stddef.h>

#include "select/syntax/diagnostic.h"
#include "select/syntax/node.h"
#include "select/syntax/token.h"

/*
 * Maximum length of the parsed text in bytes. The tree of a longer text could be too deep for
 * recursion.
 */
#define FARGS_EXPR_TEXT_MAX	4096

struct fargs_items {
	struct fargs_node *fetches;	/* list of fetches, in the order of the text */
	struct fargs_node *condition;	/* all conditions, joined by '&&'; NULL: none */
};

/* State of the parser. */
struct fargs_parser {
	const char *text;	/* text to parse, at most FARGS_EXPR_TEXT_MAX bytes */
	size_t next;		/* offset of the token that follows @token */
	struct fargs_token token;
	struct fargs_nodes *nodes;
	struct fargs_diagnostic *diagnostic;
	unsigned int depth;
	unsigned int nr_open;	/* number of open parentheses and brackets */
	unsigned int nr_operators;	/* number of arithmetic operators so far */
};

/*
 * The functions below return 0, or a negative value with the diagnostic set, unless noted
 * otherwise.
 */

/* Starts parsing at byte @at of @text. */
int fargs_parser_init(struct fargs_parser *p, const char *text, size_t at,
		      struct fargs_nodes *nodes, struct fargs_diagnostic *m);
/* If the current token is of @kind, skips it and returns 1; otherwise returns 0. */
int fargs_parser_take(struct fargs_parser *p, enum fargs_token_kind kind);
/*
 * Parses a list such as "item, item | condition". The first token that cannot belong to the list
 * becomes the current token.
 */
int fargs_parse_items(struct fargs_parser *p, struct fargs_items *items);
/*
 * Allocates a node at @column. Returns NULL with the diagnostic set if out of memory.
 */
struct fargs_node *fargs_parser_create(struct fargs_parser *p, enum fargs_node_kind kind,
				       unsigned int column);
/* Sets the diagnostic "expected WANTED, not 'TOKEN'" for the current token. */
int fargs_parser_fail(struct fargs_parser *p, const char *wanted);
/*
 * Returns a node for "@a && @b", either of which may be NULL; if out of memory, returns NULL with
 * the diagnostic set.
 */
struct fargs_node *fargs_parser_and(struct fargs_parser *p, struct fargs_node *a,
				    struct fargs_node *b);

#endif
