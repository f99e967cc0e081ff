/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a record is stored in the log: a byte with the kind and with bits for the members that are
 * there, then these. A member that is not there is that of the record before, or 0 (nr). Numbers
 * are LEB128; addresses, values and offsets are differences to the record before, so that most
 * runs take four bytes.
 */
#ifndef PTEMU_TRUTH_CODE_H
#define PTEMU_TRUTH_CODE_H

#include <stdint.h>

#define TRUTH_CODE_KIND		0x1f
#define TRUTH_CODE_IP		0x20
#define TRUTH_CODE_VALUE	0x40
#define TRUTH_CODE_OFFSET	0x80

/* The most bytes that a record takes. */
#define TRUTH_CODE_MAX		(1 + 4 * 10)

/* Makes small numbers of small differences of either sign. */
static inline uint64_t truth_code_folded(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static inline uint64_t truth_code_unfolded(uint64_t folded)
{
	return folded >> 1 ^ -(folded & 1);
}

#endif
