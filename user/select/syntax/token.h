/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Splits an expression into tokens.
 */
#ifndef FARGS_SELECT_SYNTAX_TOKEN_H
#define FARGS_SELECT_SYNTAX_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include "select/syntax/diagnostic.h"

enum fargs_token_kind {
	FARGS_TOKEN_END,
	FARGS_TOKEN_NAME,
	FARGS_TOKEN_CONTEXT,	/* $NAME; @text is NAME, without the $ */
	FARGS_TOKEN_VARIABLE,	/* @NAME; @text is NAME, without the @ */
	FARGS_TOKEN_NUMBER,	/* a number, a size such as 4k, or a character */
	FARGS_TOKEN_TIME,	/* a time; @number is in ns */
	FARGS_TOKEN_STRING,	/* @text is as written, without the quotes */
	FARGS_TOKEN_LPAREN,
	FARGS_TOKEN_RPAREN,
	FARGS_TOKEN_LBRACKET,
	FARGS_TOKEN_RBRACKET,
	FARGS_TOKEN_LBRACE,
	FARGS_TOKEN_RBRACE,
	FARGS_TOKEN_COMMA,
	FARGS_TOKEN_COLON,
	FARGS_TOKEN_DOT,
	FARGS_TOKEN_DOTS,	/* .. */
	FARGS_TOKEN_ELLIPSIS,	/* ... */
	FARGS_TOKEN_ARROW,
	FARGS_TOKEN_STAR,
	FARGS_TOKEN_PLUS,
	FARGS_TOKEN_MINUS,
	FARGS_TOKEN_TILDE,
	FARGS_TOKEN_SHL,
	FARGS_TOKEN_SHR,
	FARGS_TOKEN_AND,
	FARGS_TOKEN_OR,
	FARGS_TOKEN_XOR,
	FARGS_TOKEN_AND_AND,
	FARGS_TOKEN_OR_OR,
	FARGS_TOKEN_NOT,
	FARGS_TOKEN_EQ,
	FARGS_TOKEN_NE,
	FARGS_TOKEN_LT,
	FARGS_TOKEN_LE,
	FARGS_TOKEN_GT,
	FARGS_TOKEN_GE,
};

struct fargs_token {
	enum fargs_token_kind kind;
	unsigned int column;
	const char *text;	/* text of the token, not NUL-terminated */
	size_t len;
	uint64_t number;
};

/*
 * Reads the first token at or after byte @at of @text into *@token. Returns the offset at which to
 * read the next token, or -EINVAL with the diagnostic.
 */
int fargs_token_next(const char *text, size_t at, struct fargs_token *token,
		     struct fargs_diagnostic *m);

#endif
