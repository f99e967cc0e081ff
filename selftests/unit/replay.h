/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads all records of a trace file, of all CPUs, in order of time. */
#ifndef UNIT_REPLAY_H
#define UNIT_REPLAY_H

#include <errno.h>

#include "file/reader.h"
#include "source/fargs_dat/supply.h"
#include "uapi/fargs_record.h"

/* Called for each record. A nonzero result ends replay(). */
typedef int (*replay_fn)(void *arg, unsigned int cpu, const struct fargs_record *rec);

/*
 * Calls @fn for each record, in the order of source/records/merge.h; @meta is that of @r.
 * Returns 0, what @fn returned if not 0, or -errno with @err for a file that is corrupt.
 */
static inline int replay(struct fargs_reader *r, const struct fargs_meta *meta, replay_fn fn,
			 void *arg, struct fargs_error_text *err)
{
	struct fargs_pool *pool = fargs_pool_create(1);
	struct fargs_stamped next;
	struct fargs_merge *merge;
	struct fargs_supply *s;
	int ret;

	if (!pool)
		return fargs_fail(err, ENOMEM, "out of memory");
	s = fargs_supply_create(r, meta, pool, err);
	if (!s) {
		fargs_pool_destroy(pool);
		return -EINVAL;
	}
	merge = fargs_supply_merge(s);
	while ((ret = fargs_merge_next(merge, &next, err)) == 1) {
		ret = fn(arg, next.cpu, next.rec);
		if (ret)
			break;
		fargs_merge_give_back(merge, fargs_merge_used(merge));
	}
	fargs_supply_destroy(s);
	fargs_pool_destroy(pool);
	return ret;
}

#endif
