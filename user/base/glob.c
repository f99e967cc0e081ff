// SPDX-License-Identifier: GPL-2.0-only
#include "base/glob.h"

#include <stddef.h>
#include <string.h>

/*
 * Not fnmatch(3): it takes a backslash, character classes and the locale into
 * account, which ftrace does not, and costs five times as much in UTF-8.
 */

bool fargs_glob_is_pattern(const char *pattern)
{
	return strpbrk(pattern, "*?[");
}

/*
 * Matches @c against the set behind '['. *@end: behind its ']'. A set that is
 * not closed is no set: false with *@end NULL.
 */
static bool set_match(const char *p, unsigned char c, const char **end)
{
	bool is_negated = *p == '!' || *p == '^';
	bool is_in = false;
	const char *first;

	*end = NULL;
	p += is_negated;
	/* A ']' in first place is a member. */
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

/* Matches one character of text. Returns what is behind it in the pattern, or NULL. */
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
	/* Where to go on after a mismatch: the last star takes one character more. */
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
