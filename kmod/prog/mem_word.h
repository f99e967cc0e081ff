/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inlined versions of functions of prog/mem.h for the most frequent reads: whole words of
 * the kernel's linear mappings (fargs_arch_is_linear()). All other reads, and reads of strings
 * that fault, are left to the functions of prog/mem.c, which start over. For the context, and
 * the effects of a fault, see prog/mem.h. The functions are inlined in prog/chain.h;
 * fargs_mem_copy_str_words() also in fargs_mem_copy_str().
 *
 * Each word is read once, into a register, and tested there, since the memory may change
 * while it is read. Page faults need not be disabled to read a kernel address: no page is
 * faulted in, and the fault handler continues at the fault label.
 */
#ifndef FARGS_KMOD_PROG_MEM_WORD_H
#define FARGS_KMOD_PROG_MEM_WORD_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch/mem.h"
#include "prog/mem.h"

#define FARGS_MEM_ONES	0x0101010101010101ull

/* The lowest bit set in the result is in the first byte that is 0. Returns 0 if no byte is 0. */
static __always_inline u64 fargs_mem_zero_bytes(u64 word)
{
	return (word - FARGS_MEM_ONES) & ~word & (FARGS_MEM_ONES << 7);
}

/* Clears the bytes after the first zero byte. @zeros: result of fargs_mem_zero_bytes(@word). */
static __always_inline u64 fargs_mem_before_zero(u64 word, u64 zeros)
{
	return word & (zeros ^ (zeros - 1)) >> 8;
}

/*
 * Like fargs_mem_copy_str(), for a string that ends within @max bytes. Copies words, but no word
 * that crosses a page boundary, since the next page may be unreadable. If the whole string was
 * copied, returns true, and sets *@len to the length of the string. Bytes after the string's NUL
 * are not copied: the rest of the last word is filled with zeros.
 */
static __always_inline bool fargs_mem_copy_str_words(u8 *to, u64 addr, u32 max,
						     enum fargs_space space, u32 *len)
{
	u64 word, zeros;
	u32 i = 0;

	if (unlikely(space == FARGS_SPACE_USER || !fargs_arch_is_linear(addr)))
		return false;
	if (unlikely((addr & ~PAGE_MASK) > PAGE_SIZE - 8))
		return false;
	__get_kernel_nofault(&word, (u64 *)addr, u64, fault);
	zeros = fargs_mem_zero_bytes(word);
	while (unlikely(!zeros)) {
		if (i + 8 >= max)
			return false;
		memcpy(to + i, &word, sizeof(word));
		i += 8;
		if (((addr + i) & ~PAGE_MASK) > PAGE_SIZE - 8)
			return false;
		__get_kernel_nofault(&word, (u64 *)(addr + i), u64, fault);
		zeros = fargs_mem_zero_bytes(word);
	}
	*len = i + __ffs(zeros) / 8;
	if (unlikely(*len > max))
		return false;
	word = fargs_mem_before_zero(word, zeros);
	memcpy(to + i, &word, sizeof(word));
	return true;
fault:
	return false;
}

#endif
