/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds PSBs, at which a reader can begin. No other packet can contain the whole pattern.
 */
#ifndef FARGS_SOURCE_PT_PACKET_PSB_H
#define FARGS_SOURCE_PT_PACKET_PSB_H

#include <stdbool.h>
#include <stdint.h>

struct fargs_pt_reader;

#define FARGS_PT_PSB_BYTES	16u

/* Returns the offset of the first PSB in @bytes at or after offset @from; @n if there is none. */
uint64_t fargs_pt_psb_find(const uint8_t *bytes, uint64_t n, uint64_t from);

/* The two steps of fargs_pt_psb_find(), for callers that see only a part of the trace at a time. */

/* Returns the first occurrence of the pattern in @bytes, or NULL. */
const uint8_t *fargs_pt_psb_pattern(const uint8_t *bytes, uint64_t n);
/*
 * Returns the beginning of the PSB whose pattern was found at @found. The pattern may begin too
 * early, because the last bytes of the previous packet may look like part of it.
 */
const uint8_t *fargs_pt_psb_begin(const uint8_t *found, const uint8_t *end);

/*
 * Moves @r from bytes that are no packet to the next PSB. @begin: of its bytes. @last: where @r
 * began to read, at the beginning or at a PSB; that PSB is not found again. Returns false if there
 * is none.
 */
bool fargs_pt_psb_sync(struct fargs_pt_reader *r, const uint8_t *begin, const uint8_t *last);

#endif
