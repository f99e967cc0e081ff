// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/token.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const struct {
	char text[4];
	enum fargs_token_kind kind;
} marks[] = {
	/* Longer marks precede shorter ones, so that "->" is not read as "-". */
	{ "...", FARGS_TOKEN_ELLIPSIS },
	{ "->", FARGS_TOKEN_ARROW }, { "..", FARGS_TOKEN_DOTS }, { "<<", FARGS_TOKEN_SHL },
	{ ">>", FARGS_TOKEN_SHR },
	{ "&&", FARGS_TOKEN_AND_AND }, { "||", FARGS_TOKEN_OR_OR }, { "==", FARGS_TOKEN_EQ },
	{ "!=", FARGS_TOKEN_NE }, { "<=", FARGS_TOKEN_LE }, { ">=", FARGS_TOKEN_GE },
	{ "(", FARGS_TOKEN_LPAREN }, { ")", FARGS_TOKEN_RPAREN }, { "[", FARGS_TOKEN_LBRACKET },
	{ "]", FARGS_TOKEN_RBRACKET }, { "{", FARGS_TOKEN_LBRACE }, { "}", FARGS_TOKEN_RBRACE },
	{ "+", FARGS_TOKEN_PLUS }, { "^", FARGS_TOKEN_XOR }, { ",", FARGS_TOKEN_COMMA },
	{ ":", FARGS_TOKEN_COLON },
	{ ".", FARGS_TOKEN_DOT }, { "*", FARGS_TOKEN_STAR }, { "-", FARGS_TOKEN_MINUS },
	{ "~", FARGS_TOKEN_TILDE }, { "&", FARGS_TOKEN_AND }, { "|", FARGS_TOKEN_OR },
	{ "!", FARGS_TOKEN_NOT }, { "<", FARGS_TOKEN_LT }, { ">", FARGS_TOKEN_GT },
};

static const struct {
	char text[3];
	uint64_t ns;
} times[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t name_len(const char *s)
{
	size_t n = 0;

	while (is_name(s[n]))
		n++;
	return n;
}

static int digit_of(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 16;
}

/* Reads digits of base @base. Returns the number of digits, or -1 if the number is too large. */
static int read_digits(const char *s, int base, uint64_t *number)
{
	int n;

	*number = 0;
	for (n = 0; digit_of(s[n]) < base; n++)
		if (__builtin_mul_overflow(*number, base, number) ||
		    __builtin_add_overflow(*number, digit_of(s[n]), number))
			return -1;
	return n;
}

static int fail_large(struct fargs_token *token, struct fargs_diagnostic *m)
{
	return fargs_diagnostic_at(m, token->column,
				   "the number does not fit into 64 bits");
}

/*
 * Converts token->number and @fraction, the digits after its decimal point, from @unit to ns.
 * Returns 1; 0 if @unit is not a unit of time; or a negative value with the diagnostic in @m.
 */
static int read_time(const char *unit, size_t len, const char *fraction, size_t nr_fraction,
		     struct fargs_token *token, struct fargs_diagnostic *m)
{
	uint64_t ns, part;
	size_t i, j;

	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		if (strlen(times[i].text) == len && !memcmp(times[i].text, unit, len))
			break;
	if (i == sizeof(times) / sizeof(times[0]))
		return 0;
	ns = times[i].ns;
	if (__builtin_mul_overflow(token->number, ns, &token->number))
		return fail_large(token, m);
	for (j = 0, part = ns; j < nr_fraction; j++) {
		part /= 10;
		if (__builtin_add_overflow(token->number, part * digit_of(fraction[j]),
					   &token->number))
			return fail_large(token, m);
	}
	token->kind = FARGS_TOKEN_TIME;
	return 1;
}

static int read_size(const char *unit, struct fargs_token *token, struct fargs_diagnostic *m)
{
	static const char units[] = "KMGT";
	const char *found = strchr(units, toupper((unsigned char)*unit));
	unsigned int shift;

	if (!found)
		return 0;
	shift = 10 * (found - units + 1);
	if (token->number << shift >> shift != token->number)
		return fail_large(token, m);
	token->number <<= shift;
	return 1;
}

/* Reads a number with its unit. Returns the length of both in bytes, or a negative value. */
static int read_number(const char *s, struct fargs_token *token, struct fargs_diagnostic *m)
{
	int base = 10, prefix = 0, n, ret = 0;
	const char *fraction;
	size_t nr_fraction = 0, len;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		prefix = 2;
	} else if (s[0] == '0' && isdigit((unsigned char)s[1])) {
		base = 8;
	}
	n = read_digits(s + prefix, base, &token->number);
	if (n < 0)
		return fail_large(token, m);
	token->kind = FARGS_TOKEN_NUMBER;
	n += prefix;
	fraction = s + n + 1;
	if (base == 10 && s[n] == '.' && isdigit((unsigned char)s[n + 1])) {
		while (isdigit((unsigned char)fraction[nr_fraction]))
			nr_fraction++;
		n += 1 + nr_fraction;
	}
	len = name_len(s + n);
	if (base == 10 && len)
		ret = read_time(s + n, len, fraction, nr_fraction, token, m);
	if (!ret && !nr_fraction && len == 1)
		ret = read_size(s + n, token, m);
	if (ret < 0)
		return ret;
	if (!ret && (len || nr_fraction || n == prefix))
		return fargs_diagnostic_at(m, token->column,
					   "'%.*s' is not a number: write it like "
					   "10, 0x1f, 0644, 4k, 1M or 1.5ms", (int)(n + len), s);
	return n + len;
}

/* Reads the character after a backslash. Returns its length in bytes; -1: not an escape. */
static int read_escape(const char *s, uint64_t *c)
{
	static const char from[] = "ntr0abfv\\'\"", to[] = "\n\t\r\0\a\b\f\v\\'\"";
	const char *found = *s ? strchr(from, *s) : NULL;

	if (!found)
		return -1;
	*c = (unsigned char)to[found - from];
	return 1;
}

static int read_char(const char *s, struct fargs_token *token, struct fargs_diagnostic *m)
{
	int n = 1;

	token->kind = FARGS_TOKEN_NUMBER;
	if (s[1] == '\\') {
		n = read_escape(s + 2, &token->number);
		if (n > 0)
			n++;
	} else if (s[1] == '\'' || (unsigned char)s[1] >= 0x80 || !s[1]) {
		n = -1;
	} else {
		token->number = (unsigned char)s[1];
	}
	if (n < 0 || s[1 + n] != '\'')
		return fargs_diagnostic_at(m, token->column,
					   "a character is written like 'a' or '\\n'");
	return n + 2;
}

static int read_string(const char *s, struct fargs_token *token, struct fargs_diagnostic *m)
{
	size_t n = 1;

	while (s[n] && s[n] != '"')
		n += s[n] == '\\' && s[n + 1] ? 2 : 1;
	if (!s[n])
		return fargs_diagnostic_at(m, token->column, "the string has no closing '\"'");
	token->kind = FARGS_TOKEN_STRING;
	token->text = s + 1;
	token->len = n - 1;
	return n + 1;
}

static int read_mark(const char *s, struct fargs_token *token, struct fargs_diagnostic *m)
{
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strncmp(s, marks[i].text, strlen(marks[i].text))) {
			token->kind = marks[i].kind;
			return strlen(marks[i].text);
		}
	if (*s == '=')
		return fargs_diagnostic_at(m, token->column, "'=' is not a comparison: write '=='");
	if (*s == '/' || *s == '%')
		return fargs_diagnostic_at(m, token->column, "there is no '%c': the kernel module "
					   "does not divide; shift with >>, or test bits with &",
					   *s);
	if (*s < ' ' || *s > '~')
		return fargs_diagnostic_at(m, token->column, "unexpected byte 0x%02x",
					   (unsigned char)*s);
	return fargs_diagnostic_at(m, token->column, "unexpected character '%c'", *s);
}

int fargs_token_next(const char *text, size_t at, struct fargs_token *token,
		     struct fargs_diagnostic *m)
{
	const char *s;
	int n;

	while (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')
		at++;
	s = text + at;
	*token = (struct fargs_token){ .column = at + 1, .text = s };
	if (!*s)
		return at;
	if (is_name_start(*s)) {
		token->kind = FARGS_TOKEN_NAME;
		n = name_len(s);
	} else if ((*s == '$' || *s == '@') && is_name_start(s[1])) {
		token->kind = *s == '$' ? FARGS_TOKEN_CONTEXT : FARGS_TOKEN_VARIABLE;
		token->text = s + 1;
		token->len = name_len(s + 1);
		n = token->len + 1;
	} else if (isdigit((unsigned char)*s)) {
		n = read_number(s, token, m);
	} else if (*s == '\'') {
		n = read_char(s, token, m);
	} else if (*s == '"') {
		n = read_string(s, token, m);
	} else {
		n = read_mark(s, token, m);
	}
	if (n < 0)
		return n;
	if (token->kind != FARGS_TOKEN_STRING && token->kind != FARGS_TOKEN_CONTEXT &&
	    token->kind != FARGS_TOKEN_VARIABLE)
		token->len = n;
	return at + n;
}
