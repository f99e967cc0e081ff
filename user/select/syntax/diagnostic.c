// SPDX-License-Identifier: GPL-2.0-only
#include "select/syntax/diagnostic.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Maximum number of bytes of an expression that are shown in the first line, and above the caret.
 */
#define NAMED_MAX	48
#define SHOWN_MAX	72

int fargs_diagnostic_at(struct fargs_diagnostic *m, unsigned int column, const char *fmt, ...)
{
	va_list ap;

	if (m->code)
		return -m->code;
	m->code = EINVAL;
	m->column = column;
	va_start(ap, fmt);
	vsnprintf(m->text, sizeof(m->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

int fargs_diagnostic_no_memory(struct fargs_diagnostic *m)
{
	fargs_diagnostic_at(m, 0, "no memory for expressions");
	m->code = ENOMEM;
	return -ENOMEM;
}

/* Copies text, replacing control bytes, which would move the caret or control the terminal. */
static void make_plain(char *to, const char *from, size_t n)
{
	size_t i;

	for (i = 0; i < n && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	to[i] = '\0';
}

int fargs_diagnostic_fail(const struct fargs_diagnostic *m, const char *expression,
			  struct fargs_error_text *err)
{
	size_t len = strlen(expression), from = 0;
	char named[NAMED_MAX + 1], shown[SHOWN_MAX + 1];

	if (!m->column)
		return fargs_fail(err, m->code, "%s", m->text);
	make_plain(named, expression, NAMED_MAX);
	/* Show a part of a long expression, with the column in its middle. */
	if (len > SHOWN_MAX && m->column > SHOWN_MAX / 2)
		from = m->column - SHOWN_MAX / 2;
	if (from && from + SHOWN_MAX > len)
		from = len - SHOWN_MAX;
	make_plain(shown, expression + from, SHOWN_MAX);
	return fargs_fail(err, m->code, "'%s%s', column %u: %s\n    %s\n    %*s", named,
			  len > NAMED_MAX ? "..." : "", m->column, m->text, shown,
			  (int)(m->column - from), "^");
}
