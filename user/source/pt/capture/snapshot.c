// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Maximum number of bytes that are compared with the previous contents. If the kernel has
 * overwritten all these bytes, they differ from the previous contents, which are zeroes or an older
 * part of the trace: a trace has no run of zeroes of this length, and does not repeat itself, since
 * it contains PSBs, each with its time (with the default psb_period, several in 64 KiB).
 */
#define COMPARED	(64u << 10)

int fargs_pt_snapshot_init(struct fargs_pt_snapshot *s, size_t bytes, size_t limit)
{
	*s = (struct fargs_pt_snapshot){
		.before = calloc(1, bytes), .bytes = bytes, .limit = limit,
	};
	return s->before ? 0 : -ENOMEM;
}

void fargs_pt_snapshot_deinit(struct fargs_pt_snapshot *s)
{
	free(s->before);
	s->before = NULL;
}

/*
 * Returns whether the part from @head to the previous position, s->at, is unchanged. Compares only
 * the first COMPARED bytes of this part.
 */
static bool is_untouched(const struct fargs_pt_snapshot *s, const uint8_t *buffer, size_t head)
{
	size_t left = s->bytes - ((head - s->at) & (s->bytes - 1)), first;

	if (left > COMPARED)
		left = COMPARED;
	first = s->bytes - head < left ? s->bytes - head : left;
	return !memcmp(buffer + head, s->before + head, first) &&
	       !memcmp(buffer, s->before, left - first);
}

bool fargs_pt_snapshot_take(struct fargs_pt_snapshot *s, const void *buffer, uint64_t head,
			    size_t *from, size_t *bytes)
{
	bool is_next;

	head &= s->bytes - 1;
	is_next = is_untouched(s, buffer, head);
	*from = is_next ? s->at : head;
	*bytes = is_next ? (head - s->at) & (s->bytes - 1) : s->bytes;
	memcpy(s->before, buffer, s->bytes);
	s->at = head;
	if (*bytes <= s->limit)
		return is_next;
	*from = (*from + *bytes - s->limit) & (s->bytes - 1);
	*bytes = s->limit;
	return false;
}
