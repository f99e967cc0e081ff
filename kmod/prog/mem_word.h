/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inlined versions of the functions of prog/mem.h for the most frequent reads: whole words
 * of the kernel's linear mappings (fargs_arch_is_linear()). All other reads, and strings that
 * fault, are left to functions of prog/mem.c, which begin again. For the context, and the
 * effects of a fault, see prog/mem.h. Code: inlined in prog/chain.h;
 * fargs_mem_copy_str_words() once more, in fargs_mem_copy_str().
 *
 * Each word is read once, into a register, and tested there, since the memory may change
 * at the same time. Page faults need not be disabled for a kernel address: no page is
 * faulted in, and the exception table continues at the fault label.
 */
#ifndef FARGS_KMOD_PROG_MEM_WORD_H
#define FARGS_KMOD_PROG_MEM_WORD_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/uaccess.h>

#include "arch/mem.h"
#include "prog/mem.h"

#define FARGS_MEM_ONES	0x0101010101010101ull

/* The lowest bit set in the result is in the first byte that is 0; 0 if there is no such byte. */
static __always_inline u64 fargs_mem_zero_bytes(u64 word)
{
	return (word - FARGS_MEM_ONES) & ~word & (FARGS_MEM_ONES << 7);
}

/* fargs_mem_load() */
static __always_inline struct fargs_mem_value fargs_mem_load_word(u64 addr, u32 bytes,
								  enum fargs_space space)
{
	u64 word;

	if (unlikely(bytes != 8 || space == FARGS_SPACE_USER || !fargs_arch_is_linear(addr)))
		return fargs_mem_load(addr, bytes, space);
	/* Not into the struct: gcc 12 cannot split a struct across an asm goto. */
	__get_kernel_nofault(&word, (u64 *)addr, u64, fault);
	return (struct fargs_mem_value){ .value = word, .is_read = true };
fault:
	return (struct fargs_mem_value){ };
}

/*
 * fargs_mem_copy_str() of a string that ends within @max bytes. Copies words, but none that
 * crosses a page boundary, since the next page may be unreadable. Returns true, and the
 * length of the string in *@len, if the whole string was copied.
 */
static __always_inline bool fargs_mem_copy_str_words(u8 *to, u64 addr, u32 max,
						     enum fargs_space space, u32 *len)
{
	u64 word, zeros;
	u32 i = 0;

	if (unlikely(space == FARGS_SPACE_USER || !fargs_arch_is_linear(addr)))
		return false;
	for (;;) {
		if (unlikely(((addr + i) & ~PAGE_MASK) > PAGE_SIZE - 8))
			return false;
		__get_kernel_nofault(&word, (u64 *)(addr + i), u64, fault);
		*(u64 *)(to + i) = word;
		zeros = fargs_mem_zero_bytes(word);
		if (likely(zeros))
			break;
		i += 8;
		if (unlikely(i >= max))
			return false;
	}
	*len = i + __ffs(zeros) / 8;
	return likely(*len <= max);
fault:
	return false;
}

#endif
