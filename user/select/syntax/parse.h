/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parser of items: fetches and conditions (see fargs-select(7)).
 */
#ifndef FARGS_EXPR_PARSE_H
#define FARGS_EXPR_PARSE_H

#include <stddef.h>

#include "select/syntax/mistake.h"
#include "select/syntax/node.h"
#include "select/syntax/token.h"

/* Longer ones are no slip of a person's: their trees would be too deep to walk. */
#define FARGS_EXPR_TEXT_MAX	4096

struct fargs_items {
	struct fargs_node *fetches;	/* by next, as written */
	struct fargs_node *condition;	/* all of them, and-ed; NULL: none */
};

/* What reads a text, token by token. */
struct fargs_parser {
	const char *text;	/* at most FARGS_EXPR_TEXT_MAX bytes */
	size_t next;		/* where the token behind @token begins */
	struct fargs_token token;
	struct fargs_nodes *nodes;
	struct fargs_mistake *mistake;
	unsigned int depth;
	unsigned int nr_open;	/* parentheses and brackets */
};

/* All below: 0, or negative with the mistake set. */

/* Begins at byte @at of the text. */
int fargs_parser_init(struct fargs_parser *p, const char *text, size_t at,
		      struct fargs_nodes *nodes, struct fargs_mistake *m);
/* Goes on if the token is of @kind; 1: it was. */
int fargs_parser_take(struct fargs_parser *p, enum fargs_token_kind kind);
/* item, item | condition: up to a token that cannot go on. */
int fargs_parse_items(struct fargs_parser *p, struct fargs_items *items);
/* "I did not expect TOKEN": wanted says what could be there. */
int fargs_parser_fail(struct fargs_parser *p, const char *wanted);
/* @a && @b, either of which may be NULL; NULL with the mistake set: no memory. */
struct fargs_node *fargs_parser_and(struct fargs_parser *p, struct fargs_node *a,
				    struct fargs_node *b);

#endif
