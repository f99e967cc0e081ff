/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of numbers, such as CPUs or tids, written as a list: "0-3,8".
 */
#ifndef FARGS_BASE_ID_SET_H
#define FARGS_BASE_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fargs_id_range {
	uint32_t first, last;
};

/* Initialize with zeroes, which means that no list was given. */
struct fargs_id_set {
	struct fargs_id_range *ranges;	/* in the order in which they were given */
	size_t nr;
};

/*
 * Adds the numbers in the list @text; none may be above @max. Returns 0; or -ENOMEM or -EINVAL,
 * with the reason in @err, which does not name the option. @what: the kind of number, such as "a
 * CPU".
 */
int fargs_id_set_add(struct fargs_id_set *set, const char *text, uint32_t max, const char *what,
		     struct fargs_error_text *err);
void fargs_id_set_deinit(struct fargs_id_set *set);

/* The highest number in the set, which must not be empty. */
uint32_t fargs_id_set_last(const struct fargs_id_set *set);

static inline bool fargs_id_set_has(const struct fargs_id_set *set, uint32_t id)
{
	size_t i;

	for (i = 0; i < set->nr; i++)
		if (id >= set->ranges[i].first && id <= set->ranges[i].last)
			return true;
	return false;
}

/* Is @id in the set, or was no list given? */
static inline bool fargs_id_set_allows(const struct fargs_id_set *set, uint32_t id)
{
	return !set->nr || fargs_id_set_has(set, id);
}

#endif
