// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/match.h"

#include <stdint.h>

/*
 * Sets *@is_in to whether @c is in the character class whose '[' precedes @p. Returns the position
 * after the class, or NULL if the class has no ']', so that the '[' is an ordinary character.
 */
static const char *take_class(const char *p, const char *end, unsigned char c, bool *is_in)
{
	bool is_inverted = p < end && *p == '!', is_found = false;
	const char *from = p + is_inverted, *at;
	unsigned char low, high;

	/* A ']' at the start is a member of the class. */
	for (at = from; at < end && (*at != ']' || at == from); at++) {
		low = *at;
		high = low;
		if (end - at > 2 && at[1] == '-' && at[2] != ']') {
			high = at[2];
			at += 2;
		}
		is_found |= c >= low && c <= high;
	}
	*is_in = is_found != is_inverted;
	return at < end ? at + 1 : NULL;
}

/*
 * Matches @c with the pattern element at @p, which is not '*'. Returns the next element, or NULL if
 * @c does not match.
 */
static const char *step(const char *p, const char *end, unsigned char c)
{
	const char *next;
	bool is_in;

	switch (*p) {
	case '?':
		return p + 1;
	case '[':
		next = take_class(p + 1, end, c, &is_in);
		if (next)
			return is_in ? next : NULL;
		break;
	case '\\':
		if (p + 1 < end)
			p++;
		break;
	}
	return (unsigned char)*p == c ? p + 1 : NULL;
}

bool fargs_match(const char *pattern, size_t pattern_len, const char *text, size_t len)
{
	const char *p = pattern, *end = pattern + pattern_len, *star = NULL, *next;
	size_t at = 0, back = 0;

	while (at < len) {
		if (p < end && *p == '*') {
			star = ++p;
			back = at;
			continue;
		}
		next = p < end ? step(p, end, text[at]) : NULL;
		if (next) {
			p = next;
			at++;
		} else if (star) {
			p = star;
			at = ++back;
		} else {
			return false;
		}
	}
	while (p < end && *p == '*')
		p++;
	return p == end;
}
