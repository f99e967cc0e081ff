/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that text is one JSON value (RFC 8259), in UTF-8, and without control characters,
 * including those of terminals. This parser shares no code with the writer.
 */
#ifndef FUZZ_JSON_CHECK_H
#define FUZZ_JSON_CHECK_H

#include <stdbool.h>
#include <string.h>

/*
 * Each of these functions parses from @p on. It returns the end of the value, or NULL if there is
 * no valid value.
 */
static const char *json_value(const char *p, const char *end);

static const char *json_string(const char *p, const char *end)
{
	unsigned char c;
	int more;

	if (p == end || *p++ != '"')
		return NULL;
	while (p < end && *p != '"') {
		c = *p++;
		if (c < ' ' || c == 0x7f)
			return NULL;
		if (c == '\\') {
			if (p == end || !strchr("\"\\ntu", *p))
				return NULL;
			if (*p++ == 'u') {
				if (end - p < 4 || strspn(p, "0123456789abcdef") < 4)
					return NULL;
				p += 4;
			}
		}
		/* This byte begins U+0080 to U+009F, which are control characters. */
		if (c == 0xc2 && p < end && (unsigned char)*p < 0xa0)
			return NULL;
		more = c < 0xc0 ? (c < 0x80 ? 0 : -1) : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
		if (more < 0)
			return NULL;
		for (; more; more--, p++)
			if (p == end || (*p & 0xc0) != 0x80)
				return NULL;
	}
	return p < end ? p + 1 : NULL;
}

static const char *json_list(const char *p, const char *end, char close)
{
	if (p < end && *p == close)
		return p + 1;
	for (;;) {
		if (close == '}') {
			p = json_string(p, end);
			if (!p || p == end || *p++ != ':')
				return NULL;
		}
		p = json_value(p, end);
		if (!p || p == end)
			return NULL;
		if (*p == close)
			return p + 1;
		if (*p++ != ',')
			return NULL;
	}
}

static const char *json_value(const char *p, const char *end)
{
	static const char *const words[] = { "true", "false", "null" };
	const char *from = p;
	unsigned int i;

	if (p == end)
		return NULL;
	if (*p == '"')
		return json_string(p, end);
	if (*p == '{' || *p == '[')
		return json_list(p + 1, end, *p == '{' ? '}' : ']');
	for (i = 0; i < 3; i++)
		if ((size_t)(end - p) >= strlen(words[i]) &&
		    !strncmp(p, words[i], strlen(words[i])))
			return p + strlen(words[i]);
	if (*p == '-')
		from = ++p;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		;
	/* Refuse leading zeroes, and numbers that a double cannot hold exactly. */
	return p == from || (*from == '0' && p > from + 1) || p - from > 16 ? NULL : p;
}

/* Checks that each line of @text, which has @n bytes, is a value. */
static inline bool json_lines_are_valid(const char *text, size_t n)
{
	const char *p = text, *end = text + n;

	while (p < end) {
		p = json_value(p, end);
		if (!p || p == end || *p++ != '\n')
			return false;
	}
	return true;
}

#endif
