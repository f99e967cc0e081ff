/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the values that programs append or fill in. The interpreter and chains both use these
 * functions, so they write the same bytes. All functions are inlined. The only memory that they
 * read is the name of a value.
 */
#ifndef FARGS_KMOD_PROG_PUT_H
#define FARGS_KMOD_PROG_PUT_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "prog/prog.h"
#include "uapi/fargs_record.h"

/* Offsets of the length (2 bytes) and the data of an appended value, from its type byte. */
#define FARGS_PUT_LEN	1
#define FARGS_PUT_DATA	3

static __always_inline void fargs_put_u64(u8 *to, u64 value)
{
	memcpy(to, &value, sizeof(value));
}

/* Marks a value as unreadable. @type: its type; @data: its data; @addr: the unreadable address. */
static __always_inline void fargs_put_fault(u8 *type, u8 *data, u64 addr)
{
	*type |= FARGS_TYPE_FAULT;
	fargs_put_u64(data, addr);
}

/*
 * Writes the name of the value that @insn, a translated PUT_*, appends. The name is in @consts.
 * Returns where the type is to be written. Copies whole words: the excess bytes are inside the
 * room for the value, and are overwritten afterwards.
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

/*
 * Writes type and length of an appended value. @type: the type with its flags; @n: bytes of data.
 * Returns the end of the value.
 */
static __always_inline u8 *fargs_put_end(u8 *at, u8 type, u64 n)
{
	u16 len = n;

	*at = type;
	memcpy(at + FARGS_PUT_LEN, &len, sizeof(len));
	return at + FARGS_PUT_DATA + ((n + 7) & ~7ull);
}

/* Like fargs_put_end() for an unreadable value, whose data is only the address. */
static __always_inline u8 *fargs_put_end_fault(u8 *at, u8 type, u64 addr)
{
	fargs_put_u64(at + FARGS_PUT_DATA, addr);
	return fargs_put_end(at, type | FARGS_TYPE_FAULT, sizeof(addr));
}

#endif
