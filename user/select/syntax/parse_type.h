/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parser of types in casts, sizeof() and container_of(): "struct file *", "unsigned long",
 * "u32". Without knowing the types of the kernel, it decides what is a type.
 */
#ifndef FARGS_SELECT_SYNTAX_PARSE_TYPE_H
#define FARGS_SELECT_SYNTAX_PARSE_TYPE_H

#include <stdbool.h>

#include "select/syntax/parse.h"

/* Returns the kind of the token after the current one; FARGS_TOKEN_END if that is invalid. */
enum fargs_token_kind fargs_parser_peek(const struct fargs_parser *p);

/*
 * Does a type begin at the current token? If that is a '(', is "(TYPE)" a cast? A name that no
 * kernel must know as a type, such as dev_t, is one in "(NAME *)", and before another operand:
 * "(NAME)x", but not "(NAME) - x". @is_type: any name is a type.
 */
bool fargs_parser_is_type(const struct fargs_parser *p, bool is_type);
/*
 * Parses a type. Returns a FARGS_NODE_TYPE, or NULL with the diagnostic set. The names of C's own
 * types become "unsigned int", "long" and so on, whatever their order and spelling.
 */
struct fargs_node *fargs_parse_type(struct fargs_parser *p);

#endif
