/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the ends of records in a sequence, for code that passes records on without parsing them.
 * model/record.h parses their contents.
 */
#ifndef FARGS_MODEL_WALK_H
#define FARGS_MODEL_WALK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model/event_record.h"
#include "uapi/fargs_record.h"

/*
 * Returns the length of the record at @p in bytes, or 0 if it is invalid or exceeds @avail bytes.
 */
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
