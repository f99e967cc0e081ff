/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the values of programs: the same bytes from the interpreter and from chains.
 * All functions are inlined, and read no memory but the name.
 */
#ifndef FARGS_KMOD_PROG_PUT_H
#define FARGS_KMOD_PROG_PUT_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "prog/prog.h"
#include "uapi/fargs_record.h"

/* Offsets in an appended value, from its type. */
#define FARGS_PUT_LEN	1	/* 2 bytes */
#define FARGS_PUT_DATA	3

static __always_inline void fargs_put_u64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

/* @type: type of the value whose data is at @data. */
static __always_inline void fargs_put_fault(u8 *type, u8 *data, u64 addr)
{
	*type |= FARGS_TYPE_FAULT;
	fargs_put_u64(data, addr);
}

/*
 * Writes the name, from @consts, of the value that @insn, a translated PUT_*, appends.
 * Returns where the type is written. Copies words: the excess bytes lie within the room of
 * the value, which is written afterwards.
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

/* @type: the type and its flags. @n: bytes of data. Returns the end of the value. */
static __always_inline u8 *fargs_put_end(u8 *at, u8 type, u64 n)
{
	u16 len = n;

	*at = type;
	memcpy(at + FARGS_PUT_LEN, &len, sizeof(len));
	return at + FARGS_PUT_DATA + ((n + 7) & ~7ull);
}

/* The data of an unreadable value is only the address. */
static __always_inline u8 *fargs_put_end_fault(u8 *at, u8 type, u64 addr)
{
	fargs_put_u64(at + FARGS_PUT_DATA, addr);
	return fargs_put_end(at, type | FARGS_TYPE_FAULT, sizeof(addr));
}

#endif
