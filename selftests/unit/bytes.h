/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Little-endian numbers in byte arrays, for tests that write the bytes of a record or file as the
 * documents specify them, without the code under test.
 */
#ifndef SELFTESTS_BYTES_H
#define SELFTESTS_BYTES_H

#define B16(v)	(uint8_t)(v), (uint8_t)((v) >> 8)
#define B32(v)	B16(v), B16((uint32_t)(v) >> 16)
#define B64(v)	B32((uint64_t)(v)), B32((uint64_t)(v) >> 32)

/* The 48 bytes of a record's header, for tests that do not depend on preempt, eflags and tif. */
#define HEAD(len, kind, tid, tsc, ip, parent, seq)			\
	B16(len), (kind), 0, B32(tid), B64(tsc), B64(ip), B64(parent), B64(seq), \
	B32(0x80000000u), B16(0x0202), B16(0)

#endif
