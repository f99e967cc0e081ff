// SPDX-License-Identifier: GPL-2.0-only
#include "copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PSB_BYTES	16
/* PSB and TSC: no two PSBs have the same time. */
#define PSB_TSC_BYTES	24
#define PADDING_MAX	7

uint64_t copies_count_equal(const uint8_t *packets, uint64_t nr_packets, const uint8_t *bytes,
			    uint64_t nr)
{
	uint64_t n = 0;

	while (n < nr && n < nr_packets && bytes[n] == packets[n])
		n++;
	return n;
}

/* Returns the offset in @packets of the PSB at @bytes; UINT64_MAX if it was not generated. */
static uint64_t find_offset(const struct copies_log *log, const uint8_t *bytes)
{
	size_t i;

	for (i = 0; i < log->nr_psbs; i++)
		if (log->psbs[i] + PSB_TSC_BYTES <= log->nr_packets &&
		    !memcmp(log->packets + log->psbs[i], bytes, PSB_TSC_BYTES))
			return log->psbs[i];
	return UINT64_MAX;
}

/* Returns the first PSB with its time in a copy, at or after @from; NULL if there is none. */
static const uint8_t *find_psb(const struct perfdata_piece *piece, const uint8_t *from)
{
	static const uint8_t psb[PSB_BYTES] = {
		2, 130, 2, 130, 2, 130, 2, 130, 2, 130, 2, 130, 2, 130, 2, 130
	};
	const uint8_t *end = piece->bytes + piece->size;

	from = from < end ? memmem(from, end - from, psb, sizeof(psb)) : NULL;
	return from && from + PSB_TSC_BYTES <= end ? from : NULL;
}

/*
 * Counts the bytes of the copy at @bytes. Returns whether all were generated, from offset @at of
 * the packets on.
 */
static bool check_copy(const struct copies_log *log, uint64_t at, const uint8_t *bytes, size_t nr,
		       struct copies_counts *counts)
{
	uint64_t equal = copies_count_equal(log->packets + at, log->nr_packets - at, bytes, nr), i;

	for (i = 0; i < equal; i++) {
		counts->missing += !log->is_decoded[at + i];
		counts->common += log->is_copied[at + i];
		log->is_copied[at + i] = true;
	}
	for (i = equal; i < nr; i++)
		if (bytes[i] || nr - equal > PADDING_MAX)
			return false;
	return true;
}

bool copies_check(struct perfdata *data, const struct copies_log *log,
		  struct copies_counts *counts)
{
	struct perfdata_piece *piece;
	const uint8_t *at;
	uint64_t offset;
	bool ok = true;

	for (piece = data->pieces; piece < data->pieces + data->nr_pieces; piece++) {
		for (at = find_psb(piece, piece->bytes); at; at = find_psb(piece, at + 1)) {
			offset = find_offset(log, at);
			if (offset == UINT64_MAX)
				continue;
			piece->is_known = true;
			if (!check_copy(log, offset, at, piece->bytes + piece->size - at, counts)) {
				printf("# a copy differs after the PSB at %" PRIu64 "\n", offset);
				ok = false;
			}
			break;
		}
	}
	return ok;
}

bool copies_are_known(const struct perfdata *data)
{
	size_t nr = 0, nr_unknown = 0, i;

	for (i = 0; i < data->nr_pieces; i++) {
		nr += data->pieces[i].is_known;
		nr_unknown += !data->pieces[i].is_known &&
			      find_psb(&data->pieces[i], data->pieces[i].bytes);
	}
	printf("copies %zu unknown %zu\n", nr, nr_unknown);
	return nr && !nr_unknown;
}
