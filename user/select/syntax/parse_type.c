// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/parse_type.h"

#include <string.h>

/* Names that are always types. A parameter can have none of the first, which are C's keywords. */
static const char *const type_words[] = {
	"struct", "union", "enum", "const", "volatile", "void", "char", "short", "int", "long",
	"signed", "unsigned", "bool", "_Bool",
	"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64",
	"__u8", "__u16", "__u32", "__u64", "__s8", "__s16", "__s32", "__s64",
	"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int8_t", "int16_t", "int32_t", "int64_t",
	"size_t", "ssize_t", "loff_t", "off_t", "pid_t", "uid_t", "gid_t", "umode_t", "fmode_t",
	"gfp_t", "dev_t", "ino_t", "sector_t", "uintptr_t",
};

/* How often each word of an integer type occurs in it. */
struct words {
	unsigned int nr_signed, nr_unsigned, nr_char, nr_short, nr_int, nr_long;
};

static bool is_word(const struct fargs_token *t, const char *word)
{
	return t->kind == FARGS_TOKEN_NAME && t->len == strlen(word) &&
	       !memcmp(t->text, word, t->len);
}

static bool is_type_word(const struct fargs_token *t)
{
	size_t i;

	for (i = 0; i < sizeof(type_words) / sizeof(type_words[0]); i++)
		if (is_word(t, type_words[i]))
			return true;
	return false;
}

static bool is_qualifier(const struct fargs_token *t)
{
	return is_word(t, "const") || is_word(t, "volatile");
}

/* Reads the token at byte @at of the text. Returns the offset after it, or a negative value. */
static int read_at(const struct fargs_parser *p, int at, struct fargs_token *t)
{
	struct fargs_diagnostic ignored = { };

	if (at >= 0)
		at = fargs_token_next(p->text, at, t, &ignored);
	if (at < 0)
		*t = (struct fargs_token){ .kind = FARGS_TOKEN_END };
	return at;
}

enum fargs_token_kind fargs_parser_peek(const struct fargs_parser *p)
{
	struct fargs_token t;

	read_at(p, p->next, &t);
	return t.kind;
}

/* Can the operand of a cast begin at @t, after "(NAME)", while no operator can? */
static bool is_operand(const struct fargs_parser *p, const struct fargs_token *t, int at)
{
	struct fargs_token after;

	switch (t->kind) {
	case FARGS_TOKEN_NAME:
		read_at(p, at, &after);
		return !is_word(t, "in") || after.kind != FARGS_TOKEN_LBRACE;
	case FARGS_TOKEN_CONTEXT:
	case FARGS_TOKEN_NUMBER:
	case FARGS_TOKEN_LPAREN:
	case FARGS_TOKEN_TILDE:
		return true;
	default:
		return false;
	}
}

bool fargs_parser_is_type(const struct fargs_parser *p, bool is_type)
{
	bool is_cast = p->token.kind == FARGS_TOKEN_LPAREN, is_pointer = false;
	struct fargs_token t = p->token;
	int at = p->next;

	if (is_cast)
		at = read_at(p, at, &t);
	if (t.kind != FARGS_TOKEN_NAME)
		return false;
	if (is_type || is_type_word(&t))
		return true;
	at = read_at(p, at, &t);
	while (t.kind == FARGS_TOKEN_STAR || is_qualifier(&t)) {
		is_pointer |= t.kind == FARGS_TOKEN_STAR;
		at = read_at(p, at, &t);
	}
	if (t.kind != FARGS_TOKEN_RPAREN)
		return false;
	if (is_pointer)
		return true;
	if (!is_cast)
		return false;
	at = read_at(p, at, &t);
	return is_operand(p, &t, at);
}

static bool skip(struct fargs_parser *p)
{
	return fargs_parser_take(p, p->token.kind) > 0;
}

static bool skip_qualifiers(struct fargs_parser *p)
{
	while (is_qualifier(&p->token))
		if (!skip(p))
			return false;
	return true;
}

static unsigned int *count_of(struct words *w, const struct fargs_token *t)
{
	return is_word(t, "signed") ? &w->nr_signed : is_word(t, "unsigned") ? &w->nr_unsigned :
	       is_word(t, "char") ? &w->nr_char : is_word(t, "short") ? &w->nr_short :
	       is_word(t, "int") ? &w->nr_int : is_word(t, "long") ? &w->nr_long : NULL;
}

/* Returns the usual name of an integer type; NULL: the words do not go together. */
static const char *name_of(const struct words *w)
{
	bool is_unsigned = w->nr_unsigned;

	if (w->nr_signed + w->nr_unsigned > 1 || w->nr_char > 1 || w->nr_short > 1 ||
	    w->nr_int > 1 || w->nr_long > 2 || !!w->nr_char + !!w->nr_short + !!w->nr_long > 1 ||
	    (w->nr_char && w->nr_int))
		return NULL;
	if (w->nr_char)
		return is_unsigned ? "unsigned char" : w->nr_signed ? "signed char" : "char";
	if (w->nr_short)
		return is_unsigned ? "unsigned short" : "short";
	if (w->nr_long)
		return is_unsigned ? "unsigned long" : "long";
	return is_unsigned ? "unsigned int" : "int";
}

static bool parse_integer(struct fargs_parser *p, struct fargs_node *node)
{
	struct words w = { };
	unsigned int *nr;

	while ((nr = count_of(&w, &p->token)) || is_qualifier(&p->token)) {
		if (nr)
			(*nr)++;
		if (!skip(p))
			return false;
	}
	node->text = name_of(&w);
	if (!node->text) {
		fargs_diagnostic_at(p->diagnostic, node->column, "C has no such type");
		return false;
	}
	node->len = strlen(node->text);
	return true;
}

static bool parse_name(struct fargs_parser *p, struct fargs_node *node)
{
	static const struct {
		const char *word;
		enum fargs_tag tag;
	} tags[] = {
		{ "struct", FARGS_TAG_STRUCT }, { "union", FARGS_TAG_UNION },
		{ "enum", FARGS_TAG_ENUM },
	};
	struct words unused;
	size_t i;

	if (count_of(&unused, &p->token))
		return parse_integer(p, node);
	for (i = 0; i < sizeof(tags) / sizeof(tags[0]) && !node->tag; i++)
		if (is_word(&p->token, tags[i].word))
			node->tag = tags[i].tag;
	if (node->tag && !skip(p))
		return false;
	if (p->token.kind != FARGS_TOKEN_NAME) {
		fargs_parser_fail(p, "the name of a type");
		return false;
	}
	node->text = is_word(&p->token, "_Bool") ? "bool" : p->token.text;
	node->len = node->text == p->token.text ? p->token.len : strlen(node->text);
	return skip(p);
}

struct fargs_node *fargs_parse_type(struct fargs_parser *p)
{
	struct fargs_node *node = fargs_parser_create(p, FARGS_NODE_TYPE, p->token.column);

	if (!node || !skip_qualifiers(p) || !parse_name(p, node) || !skip_qualifiers(p))
		return NULL;
	while (p->token.kind == FARGS_TOKEN_STAR) {
		node->number++;
		if (!skip(p) || !skip_qualifiers(p))
			return NULL;
	}
	return node;
}
