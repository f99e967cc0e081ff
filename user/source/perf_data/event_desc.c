// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/event_desc.h"

#include <stdbool.h>
#include <string.h>

/* Type of an EVENT_UPDATE record that contains a name. */
#define UPDATE_NAME	2

static bool take_u32(const uint8_t **bytes, uint64_t *size, uint32_t *v)
{
	if (*size < sizeof(*v))
		return false;
	memcpy(v, *bytes, sizeof(*v));
	*bytes += sizeof(*v);
	*size -= sizeof(*v);
	return true;
}

static bool skip(const uint8_t **bytes, uint64_t *size, uint64_t n)
{
	if (*size < n)
		return false;
	*bytes += n;
	*size -= n;
	return true;
}

/*
 * EVENT_DESC contains the number of events and the size of an attr; then for each event its attr,
 * number of ids, name and ids.
 */
char *fargs_perf_event_desc_name(const uint8_t *bytes, uint64_t size, size_t nr)
{
	uint32_t nr_events, attr_bytes, nr_ids, n;
	size_t i;

	if (!take_u32(&bytes, &size, &nr_events) || !take_u32(&bytes, &size, &attr_bytes))
		return NULL;
	for (i = 0; i < nr_events; i++) {
		if (!skip(&bytes, &size, attr_bytes) || !take_u32(&bytes, &size, &nr_ids) ||
		    !take_u32(&bytes, &size, &n) || n > size)
			return NULL;
		if (i == nr)
			return n && *bytes ? strndup((const char *)bytes, n) : NULL;
		if (!skip(&bytes, &size, n) || !skip(&bytes, &size, 8ull * nr_ids))
			return NULL;
	}
	return NULL;
}

char *fargs_perf_event_update_name(const uint8_t *bytes, uint64_t size, uint64_t *id)
{
	uint64_t what;

	if (size < sizeof(what) + sizeof(*id))
		return NULL;
	memcpy(&what, bytes, sizeof(what));
	memcpy(id, bytes + sizeof(what), sizeof(*id));
	if (what != UPDATE_NAME)
		return NULL;
	return strndup((const char *)bytes + sizeof(what) + sizeof(*id),
		       size - sizeof(what) - sizeof(*id));
}
