/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds where a copy of the end of a trace lies in relation to an earlier copy. Copies that are
 * made in quick succession have trace in common; nothing else shows how much.
 */
#ifndef FARGS_SOURCE_PT_INPUT_OVERLAP_H
#define FARGS_SOURCE_PT_INPUT_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

/* A copy. Up to 7 zeroes at its end may be padding. */
struct fargs_pt_copy {
	const uint8_t *bytes;
	uint64_t size;
	/* Offset of a byte at which a packet begins; @size: none is known. */
	uint64_t sync;
};

struct fargs_pt_overlap {
	int64_t begin;		/* offset of the later copy's first byte in the earlier copy */
	uint64_t end;		/* size of the earlier copy without padding */
};

/*
 * Returns whether all bytes that are in both copies are equal if @b begins at offset @begin of @a,
 * and there are such bytes.
 */
bool fargs_pt_overlap_fits(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			   const struct fargs_pt_copy *b, int64_t begin);

/*
 * Finds the last PSB of @a in @b, which was made later. Without times in them, the longest overlap
 * is assumed. Returns false if @b does not contain it, or other bytes differ.
 */
bool fargs_pt_overlap_by_psb(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			     const struct fargs_pt_copy *b);

/*
 * Finds the beginning of one copy in the other. Returns false if it is not there, or if it is not
 * certain, because packets may repeat: those with times do not.
 */
bool fargs_pt_overlap_by_bytes(struct fargs_pt_overlap *overlap, const struct fargs_pt_copy *a,
			       const struct fargs_pt_copy *b);

/*
 * Returns the offset of the first packet of @a at or after offset @from; a->size if it is not
 * known.
 */
uint64_t fargs_pt_overlap_packet(const struct fargs_pt_copy *a, uint64_t from);

#endif
