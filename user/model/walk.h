/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From one record to the next: all that those who pass records on need to know
 * of them. What is in them is for decode/record.h.
 */
#ifndef FARGS_RING_WALK_H
#define FARGS_RING_WALK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/event_record.h"
#include "uapi/fargs_record.h"

/* Bytes of the record at @p, of which @avail are there; 0: it is not whole. */
static inline size_t fargs_walk_len(const void *p, size_t avail)
{
	const uint8_t *kind = (const uint8_t *)p + offsetof(struct fargs_record, kind);
	uint16_t len;

	if (avail < sizeof(struct fargs_record))
		return 0;
	memcpy(&len, p, sizeof(len));
	if (len < sizeof(struct fargs_record) ||
	    len > (*kind == FARGS_KIND_EVENT ? FARGS_EVENT_RECORD_MAX : FARGS_RECORD_MAX) ||
	    len % FARGS_RECORD_ALIGN || len > avail)
		return 0;
	return len;
}

#endif
