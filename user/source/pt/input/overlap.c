// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/overlap.h"

#include <string.h>

#include "source/pt/packet/packet.h"
#include "source/pt/packet/psb.h"

#define PADDING_MAX	7
/*
 * Without a PSB in common: the least number of equal bytes, and of equal branches with an MTC or
 * CYC after them. A loop repeats branches; while a CPU sleeps, there are MTCs only, which repeat
 * after 256 of them.
 */
#define SAME_BYTES	64
#define SAME_TIMES	8
/* Maximum number of places that are compared. A trace that repeats itself has more. */
#define PLACES_MAX	64

/* A PSB, and what its PSB+ reports. */
struct psb {
	uint64_t at;
	uint64_t tsc;
	bool is_complete;	/* the PSB+ is whole */
	bool has_tsc;
};

static void read_psb_plus(const struct fargs_pt_copy *c, struct psb *psb)
{
	struct fargs_pt_reader r = { .at = c->bytes + psb->at, .end = c->bytes + c->size };
	struct fargs_pt_packet p;

	for (;;) {
		fargs_pt_packet_read(&r, &p);
		switch (p.kind) {
		case FARGS_PT_PACKET_BAD:
		case FARGS_PT_PACKET_CUT:
		case FARGS_PT_PACKET_OVF:
			return;
		case FARGS_PT_PACKET_TSC:
			psb->tsc = p.value;
			psb->has_tsc = true;
			break;
		case FARGS_PT_PACKET_PSBEND:
			psb->is_complete = true;
			return;
		}
	}
}

/* Finds the first PSB at or after offset @from. Returns false if there is none. */
static bool find_psb(const struct fargs_pt_copy *c, uint64_t from, struct psb *psb)
{
	*psb = (struct psb){ .at = fargs_pt_psb_find(c->bytes, c->size, from) };
	if (psb->at >= c->size)
		return false;
	read_psb_plus(c, psb);
	return true;
}

/* Finds the last complete PSB+; of those with a TSC, if there is one. */
static bool find_last_psb(const struct fargs_pt_copy *c, struct psb *last)
{
	bool is_found = false;
	struct psb psb;
	uint64_t from;

	*last = (struct psb){ };
	for (from = 0; find_psb(c, from, &psb); from = psb.at + FARGS_PT_PSB_BYTES) {
		if (!psb.is_complete || (last->has_tsc && !psb.has_tsc))
			continue;
		*last = psb;
		is_found = true;
	}
	return is_found;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the size of a copy without zeroes at its end, which may be padding. */
static uint64_t size_without_zeroes(const struct fargs_pt_copy *c)
{
	uint64_t size = c->size;

	while (size && c->size - size < PADDING_MAX && !c->bytes[size - 1])
		size--;
	return size;
}

bool fargs_pt_overlap_fits(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			   const struct fargs_pt_copy *b, int64_t begin)
{
	uint64_t at_a = begin > 0 ? begin : 0, at_b = begin < 0 ? -begin : 0, n;
	/* Padding of @a is not in @b. */
	uint64_t end = size_without_zeroes(a);

	if (at_a >= end || at_b >= b->size)
		return false;
	n = min(end - at_a, b->size - at_b);
	if (memcmp(a->bytes + at_a, b->bytes + at_b, n))
		return false;
	*overlap = (struct fargs_pt_overlap){ .begin = begin, .end = a->size };
	if (at_b + n == b->size)
		return true;
	while (end < a->size && at_b + n < b->size && !b->bytes[at_b + n]) {
		end++;
		n++;
	}
	overlap->end = end;
	return true;
}

/* @last: the last PSB of @a. */
static bool find_by_time(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			 const struct fargs_pt_copy *b, const struct psb *last)
{
	struct psb psb;
	uint64_t from;

	for (from = 0; find_psb(b, from, &psb); from = psb.at + FARGS_PT_PSB_BYTES) {
		if (!psb.has_tsc || psb.tsc < last->tsc)
			continue;
		return psb.tsc == last->tsc &&
		       fargs_pt_overlap_fits(overlap, a, b, (int64_t)(last->at - psb.at));
	}
	return false;
}

/*
 * Like find_by_time(), for a trace without TSC. The last PSB of @b that fits makes the longest
 * overlap.
 */
static bool find_without_time(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			const struct fargs_pt_copy *b, const struct psb *last)
{
	struct fargs_pt_overlap found;
	bool is_found = false;
	struct psb psb;
	uint64_t from;

	for (from = 0; find_psb(b, from, &psb); from = psb.at + FARGS_PT_PSB_BYTES) {
		if (!fargs_pt_overlap_fits(&found, a, b, (int64_t)(last->at - psb.at)))
			continue;
		*overlap = found;
		is_found = true;
	}
	return is_found;
}

uint64_t fargs_pt_overlap_packet(const struct fargs_pt_copy *a, uint64_t from)
{
	struct fargs_pt_reader r = { .at = a->bytes + a->sync, .end = a->bytes + a->size };
	struct fargs_pt_packet p;

	while ((uint64_t)(r.at - a->bytes) < from) {
		fargs_pt_packet_read(&r, &p);
		if (!p.size)
			return a->size;
	}
	return r.at - a->bytes;
}

/* Returns whether @a's packets from offset @at on are unlikely to occur again. */
static bool is_unique(const struct fargs_pt_copy *a, uint64_t at)
{
	struct fargs_pt_reader r = { .at = a->bytes + a->sync, .end = a->bytes + a->size };
	bool is_after_branch = false;
	struct fargs_pt_packet p;
	unsigned int nr = 0;
	uint64_t begin;

	while (nr < SAME_TIMES) {
		begin = r.at - a->bytes;
		fargs_pt_packet_read(&r, &p);
		if (!p.size)
			return false;
		if (begin < at)
			continue;
		switch (p.kind) {
		case FARGS_PT_PACKET_TSC:
			return true;
		case FARGS_PT_PACKET_MTC:
		case FARGS_PT_PACKET_CYC:
			nr += is_after_branch;
			is_after_branch = false;
			break;
		case FARGS_PT_PACKET_TNT:
		case FARGS_PT_PACKET_TIP:
		case FARGS_PT_PACKET_PGE:
			is_after_branch = true;
			break;
		}
	}
	return true;
}

/*
 * Finds the beginning of one copy in the other, at a place where they fit and @b, which was made
 * later, contains the end of @a. Returns the number of such places, or 2 if there may be more than
 * one.
 */
static unsigned int find_places(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
				const struct fargs_pt_copy *b, bool is_in_a)
{
	const struct fargs_pt_copy *whole = is_in_a ? a : b, *part = is_in_a ? b : a;
	const uint8_t *at = whole->bytes, *end = whole->bytes + whole->size;
	struct fargs_pt_overlap found;
	unsigned int nr = 0, i;
	int64_t begin;

	if (part->size < SAME_BYTES)
		return 0;
	for (i = 0; i < PLACES_MAX && nr < 2; i++, at++) {
		at = memmem(at, end - at, part->bytes, SAME_BYTES);
		if (!at)
			return nr;
		begin = at - whole->bytes;
		begin = is_in_a ? begin : -begin;
		if ((int64_t)b->size + begin < (int64_t)size_without_zeroes(a) ||
		    !fargs_pt_overlap_fits(&found, a, b, begin))
			continue;
		*overlap = found;
		nr++;
	}
	return 2;
}

bool fargs_pt_overlap_by_bytes(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			       const struct fargs_pt_copy *b)
{
	if (a->sync >= a->size)
		return false;
	switch (find_places(overlap, a, b, true)) {
	case 0:
		return find_places(overlap, a, b, false) == 1 && is_unique(a, 0);
	case 1:
		return is_unique(a, overlap->begin);
	default:
		return false;
	}
}

bool fargs_pt_overlap_by_psb(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			     const struct fargs_pt_copy *b)
{
	struct psb last;

	return find_last_psb(a, &last) &&
	       (last.has_tsc ? find_by_time(overlap, a, b, &last) :
			       find_without_time(overlap, a, b, &last));
}
