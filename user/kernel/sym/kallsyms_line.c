// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/sym/kallsyms_line.h"

#include <errno.h>

/*
 * Reads the hexadecimal number at *@p, which ends before @end, and moves *@p past it. Returns false
 * if there are no digits or too many.
 */
static bool scan_hex(const char **p, const char *end, uint64_t *value)
{
	const char *s = *p;
	uint64_t v = 0;

	for (; s < end; s++) {
		unsigned char c = *s;
		unsigned int digit;

		if (c >= '0' && c <= '9')
			digit = c - '0';
		else if (c >= 'a' && c <= 'f')
			digit = c - 'a' + 10;
		else if (c >= 'A' && c <= 'F')
			digit = c - 'A' + 10;
		else
			break;
		v = v << 4 | digit;
	}
	if (s == *p || s - *p > 16)
		return false;
	*p = s;
	*value = v;
	return true;
}

/* Parses the line from @line to @end. Overwrites the newline or NUL at @end. */
static int parse_line(char *line, char *end, struct fargs_ksym *sym)
{
	const char *p = line;
	char *name, *rest;

	if (!scan_hex(&p, end, &sym->addr) || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return -EINVAL;
	sym->type = p[1];
	name = line + (p - line) + 3;
	*end = '\0';
	rest = name + strcspn(name, " \t");
	if (rest == name || rest - name >= FARGS_KSYM_NAME_LEN)
		return -EINVAL;
	sym->name = name;
	sym->module = NULL;
	if (rest == end)
		return 0;
	*rest++ = '\0';
	rest += strspn(rest, " \t");
	if (*rest != '[' || end - rest < 3 || end[-1] != ']')
		return -EINVAL;
	end[-1] = '\0';
	sym->module = rest + 1;
	return fargs_ksym_name_fits(sym->module) ? 0 : -EINVAL;
}

int fargs_kallsyms_any_line(char **line, char *end, struct fargs_ksym *sym)
{
	char *begin = *line, *eol = memchr(begin, '\n', end - begin), *last;
	int ret;

	if (!eol)
		eol = end;
	/* A copied file may have CR LF line ends. */
	last = eol > begin && eol[-1] == '\r' ? eol - 1 : eol;
	ret = last == begin ? 0 : parse_line(begin, last, sym) ? -EINVAL : 1;
	*line = eol + 1;
	return ret;
}
