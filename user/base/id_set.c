// SPDX-License-Identifier: GPL-2.0-only
#include "base/id_set.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* Parses a number. Returns the position after it, or NULL if there is none or it is above @max. */
static const char *take_number(const char *s, uint32_t max, uint32_t *id)
{
	unsigned long value;
	char *end;

	if (*s < '0' || *s > '9')
		return NULL;
	errno = 0;
	value = strtoul(s, &end, 10);
	if (errno || value > max)
		return NULL;
	*id = value;
	return end;
}

static const char *take_range(const char *s, uint32_t max, struct fargs_id_range *range)
{
	s = take_number(s, max, &range->first);
	range->last = range->first;
	if (s && *s == '-')
		s = take_number(s + 1, max, &range->last);
	return s && range->first <= range->last ? s : NULL;
}

int fargs_id_set_add(struct fargs_id_set *set, const char *text, uint32_t max, const char *what,
		     struct fargs_error_text *err)
{
	struct fargs_id_range range, *to;
	const char *s = text;

	for (;;) {
		s = take_range(s, max, &range);
		if (!s || (*s && *s != ','))
			return fargs_fail(err, EINVAL, "'%s' is neither the number of %s nor a "
					  "list like 0-3,8", text, what);
		to = fargs_array_add(set->ranges, set->nr);
		if (!to)
			return fargs_fail(err, ENOMEM, "out of memory");
		*to = range;
		if (!*s)
			return 0;
		s++;
	}
}

void fargs_id_set_deinit(struct fargs_id_set *set)
{
	free(set->ranges);
	*set = (struct fargs_id_set){ };
}

uint32_t fargs_id_set_last(const struct fargs_id_set *set)
{
	uint32_t last = 0;
	size_t i;

	for (i = 0; i < set->nr; i++)
		if (set->ranges[i].last > last)
			last = set->ranges[i].last;
	return last;
}
