// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/psb.h"

#include <stddef.h>
#include <string.h>

#include "source/pt/packet/packet.h"

static const uint8_t psb[FARGS_PT_PSB_BYTES] = {
	2, 130, 2, 130, 2, 130, 2, 130, 2, 130, 2, 130, 2, 130, 2, 130
};

/*
 * At least one aligned word of 8 bytes lies inside a PSB, so only aligned words are compared:
 * memmem(), for which a repetitive pattern is the worst case, takes a hundred times as long.
 */
const uint8_t *fargs_pt_psb_pattern(const uint8_t *bytes, uint64_t n)
{
	uint64_t half[2], word, i, k;

	memcpy(&half[0], psb, sizeof(half[0]));
	memcpy(&half[1], psb + 1, sizeof(half[1]));
	for (i = 0; i + sizeof(word) <= n; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		if (word != half[0] && word != half[1])
			continue;
		for (k = i < sizeof(word) ? 0 : i - sizeof(word) + 1; k <= i; k++)
			if (k + sizeof(psb) <= n && !memcmp(bytes + k, psb, sizeof(psb)))
				return bytes + k;
	}
	return NULL;
}

const uint8_t *fargs_pt_psb_begin(const uint8_t *found, const uint8_t *end)
{
	size_t n = sizeof(psb);

	while (found + n + 2 <= end && !memcmp(found + n, psb, 2))
		n += 2;
	return found + n % sizeof(psb);
}

uint64_t fargs_pt_psb_find(const uint8_t *bytes, uint64_t n, uint64_t from)
{
	const uint8_t *found = from < n ? fargs_pt_psb_pattern(bytes + from, n - from) : NULL;

	return found ? (uint64_t)(fargs_pt_psb_begin(found, bytes + n) - bytes) : n;
}

bool fargs_pt_psb_sync(struct fargs_pt_reader *r, const uint8_t *begin, const uint8_t *last)
{
	size_t from = last - begin + 1, at = r->at - begin;

	/* The last packet may be wrong, and contain the beginning of the PSB. */
	if (at >= from + FARGS_PT_PACKET_MAX)
		from = at - FARGS_PT_PACKET_MAX + 1;
	r->at = begin + fargs_pt_psb_find(begin, r->end - begin, from);
	r->bip_bytes = 0;
	return r->at < r->end;
}
