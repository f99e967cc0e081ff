// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/value/print_fmt.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Maximum nesting of an expression. */
#define DEPTH_MAX	64
/* Maximum size of "__print_flags(REC->FIELD," */
#define CALL_BYTES	96

/* State of parsing: the text from @at to @end is left. */
struct parser {
	const char *at, *end;
	unsigned int depth;
	bool is_bad;		/* the text is not understood */
};

static void skip_blanks(struct parser *p)
{
	while (p->at < p->end && isspace((unsigned char)*p->at))
		p->at++;
}

/* Returns the next character that is not a blank, without taking it; '\0' at the end. */
static char next(struct parser *p)
{
	skip_blanks(p);
	return p->at < p->end ? *p->at : '\0';
}

/* Takes @word if it is next. */
static bool take(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(p);
	if ((size_t)(p->end - p->at) < len || memcmp(p->at, word, len))
		return false;
	p->at += len;
	return true;
}

static void expect(struct parser *p, const char *word)
{
	if (!take(p, word))
		p->is_bad = true;
}

static uint64_t fail(struct parser *p)
{
	p->is_bad = true;
	return 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes a number of C, with its suffix. */
static uint64_t take_number(struct parser *p)
{
	unsigned int base = 10, digit;
	uint64_t v = 0;

	if (take(p, "0x") || take(p, "0X"))
		base = 16;
	else if (*p->at == '0')
		base = 8;
	for (; p->at < p->end && isxdigit((unsigned char)*p->at); p->at++) {
		digit = isdigit((unsigned char)*p->at) ? *p->at - '0' : (*p->at | 0x20) - 'a' + 10;
		if (digit >= base || v > UINT64_MAX / base)
			return fail(p);
		v = v * base + digit;
	}
	while (p->at < p->end && memchr("uUlL", *p->at, 4))
		p->at++;
	if (p->at < p->end && is_word(*p->at))
		return fail(p);
	return v;
}

static uint64_t parse(struct parser *p, unsigned int level);

/* Takes a type in parentheses if it is next, such as "( unsigned long)". */
static bool take_cast(struct parser *p)
{
	const char *at = p->at;

	for (at++; at < p->end && (is_word(*at) || isspace((unsigned char)*at)); at++)
		;
	if (at == p->end || *at != ')')
		return false;
	/* A number in parentheses is no type. */
	for (p->at++; isspace((unsigned char)*p->at); p->at++)
		;
	if (isdigit((unsigned char)*p->at) || *p->at == ')')
		return false;
	p->at = at + 1;
	return true;
}

/* Evaluates an operand. Casts are ignored, since the result is limited to the width of a flag. */
static uint64_t parse_operand(struct parser *p)
{
	const char *at;
	uint64_t v = 0;
	char c = next(p);

	if (p->is_bad || p->depth == DEPTH_MAX)
		return fail(p);
	p->depth++;
	at = p->at;
	if (isdigit((unsigned char)c)) {
		v = take_number(p);
	} else if (c == '~' || c == '-') {
		p->at++;
		v = parse_operand(p);
		v = c == '~' ? ~v : -v;
	} else if (c == '(') {
		if (take_cast(p)) {
			v = parse_operand(p);
		} else {
			p->at = at + 1;
			v = parse(p, 0);
			expect(p, ")");
		}
	} else {
		fail(p);
	}
	p->depth--;
	return v;
}

/* Takes an operator of the precedence @level, from 0 for the lowest; NULL: there is none. */
static const char *take_operator(struct parser *p, unsigned int level)
{
	static const char *const operators[][2] = {
		{ "|", NULL }, { "^", NULL }, { "&", NULL }, { "<<", ">>" }, { "+", "-" },
	};
	unsigned int i;

	for (i = 0; i < 2 && operators[level][i]; i++)
		if (take(p, operators[level][i]))
			return operators[level][i];
	return NULL;
}

#define NR_LEVELS	5

static uint64_t apply(struct parser *p, char operator, uint64_t a, uint64_t b)
{
	switch (operator) {
	case '|':
		return a | b;
	case '^':
		return a ^ b;
	case '&':
		return a & b;
	case '+':
		return a + b;
	case '-':
		return a - b;
	default:
		if (b > 63)
			return fail(p);
		return operator == '<' ? a << b : a >> b;
	}
}

static uint64_t parse(struct parser *p, unsigned int level)
{
	const char *operator;
	uint64_t v;

	if (level == NR_LEVELS)
		return parse_operand(p);
	v = parse(p, level + 1);
	while (!p->is_bad && (operator = take_operator(p, level)))
		v = apply(p, *operator, v, parse(p, level + 1));
	return v;
}

/* Takes a name in quotes. Flags that are joined by '|' have names of letters, digits and '_'. */
static bool take_name(struct parser *p, char name[FARGS_FLAG_NAME])
{
	size_t n = 0;

	if (!take(p, "\""))
		return false;
	for (; p->at < p->end && is_word(*p->at) && n < FARGS_FLAG_NAME - 1; p->at++)
		name[n++] = *p->at;
	name[n] = '\0';
	return n && p->at < p->end && *p->at++ == '"';
}

/*
 * Takes one "{ VALUE, "NAME" }". Returns false after the last one, whose name is NULL or that is
 * not followed by a comma.
 */
static bool take_flag(struct parser *p, struct fargs_flag_table *to, uint64_t all)
{
	size_t nr = to->flags.nr;
	uint64_t v;

	if (nr == FARGS_FLAG_TABLE_MAX)
		return fail(p);
	expect(p, "{");
	v = parse(p, 0) & all;
	expect(p, ",");
	if (p->is_bad || next(p) != '"')
		return false;
	if (!take_name(p, to->names[nr]))
		return fail(p);
	expect(p, "}");
	/* Every number would have a name without a bit. */
	if (v)
		to->array[to->flags.nr++] = (struct fargs_flag){ to->names[nr], v, v };
	return !p->is_bad && take(p, ",");
}

bool fargs_print_fmt_flags(struct fargs_flag_table *to, const char *format, size_t bytes,
			   const char *field, unsigned int width)
{
	const uint64_t all = width < 8 ? (1ull << 8 * width) - 1 : UINT64_MAX;
	struct parser p = { .end = format + bytes };
	char call[CALL_BYTES];

	to->flags = (struct fargs_flags){ .flags = to->array };
	snprintf(call, sizeof(call), "__print_flags(REC->%s,", field);
	p.at = memmem(format, bytes, call, strlen(call));
	if (!p.at)
		return false;
	p.at += strlen(call);
	expect(&p, "\"|\"");
	expect(&p, ",");
	while (take_flag(&p, to, all))
		;
	return !p.is_bad && to->flags.nr;
}
