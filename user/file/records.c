// SPDX-License-Identifier: GPL-2.0-only
#include "file/records.h"

#include <string.h>

#include "model/walk.h"

size_t fargs_records_measure(unsigned int kind, const void *records, size_t bytes, size_t max,
			     struct fargs_chunk *head)
{
	const char *p = records;
	struct fargs_record rec;
	size_t n, len;

	*head = (struct fargs_chunk){ .kind = kind };
	for (n = 0; n < bytes; n += len) {
		len = fargs_walk_len(p + n, bytes - n);
		if (!len)
			return 0;
		if (n + len > max)
			break;
		memcpy(&rec, p + n, sizeof(rec));
		/*
		 * Take minimum and maximum: the records should be sorted by time, but this is not
		 * checked.
		 */
		if (!n || rec.tsc < head->first_tsc)
			head->first_tsc = rec.tsc;
		if (rec.tsc > head->last_tsc)
			head->last_tsc = rec.tsc;
		if (rec.kind == FARGS_KIND_TASK)
			head->flags |= FARGS_CHUNK_HAS_TASK;
	}
	return n;
}
