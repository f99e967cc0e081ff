// SPDX-License-Identifier: GPL-2.0-only
#include "base/glob.h"

#include <stddef.h>
#include <string.h>

/*
 * fnmatch(3) is not used: it handles backslashes, character classes and the locale, which ftrace
 * does not, and takes five times as long in a UTF-8 locale.
 */

bool fargs_glob_is_pattern(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

/*
 * Is @c in the set, such as [a-z], at @p, which points after the '['? Sets *@end to the position
 * after the ']'. If the set is not closed, the '[' is an ordinary character: returns false and sets
 * *@end to NULL.
 */
static bool set_match(const char *p, unsigned char c, const char **end)
{
	bool is_negated = *p == '!' || *p == '^';
	bool is_in = false;
	const char *first;

	*end = NULL;
	p += is_negated;
	/* A ']' at the beginning of the set is a member of it. */
	for (first = p; *p && (*p != ']' || p == first); p++) {
		unsigned char low = *p, high = low;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			high = p[2];
			p += 2;
		}
		is_in |= low <= c && c <= high;
	}
	if (!*p)
		return false;
	*end = p + 1;
	return is_in != is_negated;
}

/*
 * Matches @c against the first element of pattern @p. Returns the rest of the pattern, or NULL if
 * @c does not match.
 */
static const char *one_match(const char *p, char c)
{
	const char *end;
	bool is_in;

	if (*p == '?')
		return p + 1;
	if (*p == '[') {
		is_in = set_match(p + 1, c, &end);
		if (end)
			return is_in ? end : NULL;
	}
	return *p == c ? p + 1 : NULL;
}

bool fargs_glob_match(const char *pattern, const char *text)
{
	/* Where matching resumes after a mismatch: the last '*' then matches one more character. */
	const char *star = NULL, *star_text = NULL;

	while (*text) {
		const char *next;

		if (*pattern == '*') {
			star = ++pattern;
			star_text = text;
			if (!*star)
				return true;
			continue;
		}
		next = *pattern ? one_match(pattern, *text) : NULL;
		if (next) {
			pattern = next;
			text++;
		} else if (star) {
			pattern = star;
			text = ++star_text;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
