// SPDX-License-Identifier: GPL-2.0-only
#include "base/near.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_BYTES	128

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Edit distance of @a and @b (insert, delete, replace, swap neighbours), or @limit + 1 if it is
 * larger. Neither name may be longer than NAME_MAX_BYTES.
 */
static unsigned int distance(const char *a, size_t la, const char *b, size_t lb, unsigned int limit)
{
	unsigned int rows[3][NAME_MAX_BYTES + 1];
	unsigned int *before = rows[0], *above = rows[1], *row = rows[2], *spare;
	size_t i, j;

	if ((la > lb ? la - lb : lb - la) > limit)
		return limit + 1;
	for (j = 0; j <= lb; j++)
		above[j] = j;
	for (i = 1; i <= la; i++) {
		unsigned int best = row[0] = i;

		for (j = 1; j <= lb; j++) {
			row[j] = min3(above[j] + 1, row[j - 1] + 1,
				      above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
			if (row[j] < best)
				best = row[j];
		}
		if (best > limit)
			return limit + 1;
		spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[lb];
}

void fargs_near_offer(struct fargs_near *near, const char *name)
{
	size_t la = strlen(near->wanted), lb = strlen(name);
	/*
	 * Maximum distance of a similar name: a third of the length of near->wanted, but at least 1
	 * and at most 5.
	 */
	unsigned int limit = la / 3 < 1 ? 1 : la / 3 > 5 ? 5 : la / 3;
	unsigned int d;
	size_t i;

	if (la > NAME_MAX_BYTES || lb > NAME_MAX_BYTES)
		return;
	if (near->nr == FARGS_NEAR_MAX && near->distances[near->nr - 1] < limit)
		limit = near->distances[near->nr - 1];
	d = distance(near->wanted, la, name, lb, limit);
	if (d > limit)
		return;
	for (i = 0; i < near->nr; i++)
		if (!strcmp(near->names[i], name))
			return;
	if (near->nr == FARGS_NEAR_MAX) {
		if (d >= near->distances[near->nr - 1])
			return;
		near->nr--;
	}
	for (i = near->nr++; i && near->distances[i - 1] > d; i--) {
		near->names[i] = near->names[i - 1];
		near->distances[i] = near->distances[i - 1];
	}
	near->names[i] = name;
	near->distances[i] = d;
}

void fargs_near_text(const struct fargs_near *near, char *buf, size_t size)
{
	size_t i, used = 0;

	buf[0] = '\0';
	for (i = 0; i < near->nr && used < size; i++)
		used += snprintf(buf + used, size - used, "%s%s%s",
				 !i ? "" : i + 1 == near->nr ? " or " : ", ",
				 near->prefix ? near->prefix : "", near->names[i]);
}
