/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How programs write what they have read: the same bytes, whichever way they are run.
 * Inlined; nothing is read but the name.
 */
#ifndef FARGS_KMOD_PROG_PUT_H
#define FARGS_KMOD_PROG_PUT_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "prog/prog.h"
#include "uapi/fargs_record.h"

/* Where they are in an appended value, from its type on. */
#define FARGS_PUT_LEN	1	/* 2 bytes */
#define FARGS_PUT_DATA	3

static __always_inline void fargs_put_u64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

/* @type: of the value whose data is at @data. */
static __always_inline void fargs_put_fault(u8 *type, u8 *data, u64 addr)
{
	*type |= FARGS_TYPE_FAULT;
	fargs_put_u64(data, addr);
}

/*
 * Writes the name, out of @consts, of what @insn, a translated PUT_*, appends. Returns
 * where its type goes. By words: what they write too much lies within the value's own
 * bytes.
 */
static __always_inline u8 *fargs_put_name(u8 *to, const u8 *consts,
					  const struct fargs_insn *insn)
{
	const u8 *name = consts + insn->off;
	u32 i, bytes = insn->imm >> 32;

	memcpy(to, name, 8);
	for (i = 8; unlikely(i < bytes); i += 8)
		memcpy(to + i, name + i, 8);
	return to + bytes;
}

/* @type: with its flags. @n: bytes of data. Returns where the value ends. */
static __always_inline u8 *fargs_put_end(u8 *at, u8 type, u64 n)
{
	u16 len = n;

	*at = type;
	memcpy(at + FARGS_PUT_LEN, &len, sizeof(len));
	return at + FARGS_PUT_DATA + ((n + 7) & ~7ull);
}

/* Its data is the address, and nothing else. */
static __always_inline u8 *fargs_put_end_fault(u8 *at, u8 type, u64 addr)
{
	fargs_put_u64(at + FARGS_PUT_DATA, addr);
	return fargs_put_end(at, type | FARGS_TYPE_FAULT, sizeof(addr));
}

#endif
