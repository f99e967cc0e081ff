// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context: any context, NMI included. Preemption is disabled, and RCU may not be
 * watching. This file is not traced (Kbuild); the reads are inlined. If a read faults,
 * the fault handler looks up the kernel's exception table, and continues at a label here:
 * no page is faulted in, since page faults are disabled, and no lock is taken.
 *
 * Other code may free or change the memory while it is read. So each word is read once,
 * into a register, and tested there.
 */
#include "prog/mem.h"

#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch/mem.h"
#include "prog/mem_word.h"

enum where {
	NOWHERE,
	KERNEL,
	USER,
};

/* Do the pages of @addr and @last, which are the same or adjacent, contain memory? */
static notrace bool is_memory(unsigned long addr, unsigned long last)
{
	return fargs_arch_is_mapped_memory(addr) &&
	       (!((addr ^ last) & PAGE_MASK) || fargs_arch_is_mapped_memory(last));
}

/* Returns the space of the @bytes (1 or more) at @addr; NOWHERE if they may not be read. */
static notrace enum where locate_addr(unsigned long addr, u32 bytes, enum fargs_space space)
{
	unsigned long last = addr + bytes - 1;

	if (addr < TASK_SIZE_MAX) {
		if (space == FARGS_SPACE_KERNEL || last >= TASK_SIZE_MAX || !fargs_arch_has_user())
			return NOWHERE;
		return is_memory(addr, last) ? USER : NOWHERE;
	}
	if (space == FARGS_SPACE_USER || !fargs_arch_is_kernel(addr, last))
		return NOWHERE;
	if (last < VMALLOC_START || addr > VMALLOC_END)
		return fargs_arch_is_isa_hole(addr, last) ? NOWHERE : KERNEL;
	return is_memory(addr, last) ? KERNEL : NOWHERE;
}

static __always_inline bool begin_access(enum where where, unsigned long addr, u32 bytes)
{
	return where == KERNEL || user_access_begin((void __user *)addr, bytes);
}

static __always_inline void end_access(enum where where)
{
	if (where == USER)
		user_access_end();
}

/*
 * load_mem(), copy_mem() and copy_str_mem() are each inlined with a constant @where, once for
 * KERNEL and once for USER. load_mem() is inlined once more, in fargs_mem_load(), for addresses
 * known to be in the kernel. So the space is not tested for each word, and only the USER variant
 * contains the instructions that enable and disable access to user memory.
 */
#define GET(where, value, type, addr, fault)					\
do {										\
	if ((where) == USER)							\
		unsafe_get_user(value, (type __user *)(addr), fault);		\
	else									\
		__get_kernel_nofault(&(value), (type *)(addr), type, fault);	\
} while (0)

static __always_inline bool load_mem(enum where where, u64 *value, unsigned long addr, u32 bytes)
{
	u64 v8;
	u32 v4;
	u16 v2;
	u8 v1;

	if (!begin_access(where, addr, bytes))
		return false;
	switch (bytes) {
	case 1:
		GET(where, v1, u8, addr, fault);
		v8 = v1;
		break;
	case 2:
		GET(where, v2, u16, addr, fault);
		v8 = v2;
		break;
	case 4:
		GET(where, v4, u32, addr, fault);
		v8 = v4;
		break;
	default:
		GET(where, v8, u64, addr, fault);
		break;
	}
	end_access(where);
	*value = v8;
	return true;
fault:
	end_access(where);
	return false;
}

static notrace noinline struct fargs_mem_value load_anywhere(u64 addr, u32 bytes,
							      enum fargs_space space)
{
	struct fargs_mem_value v = { };

	pagefault_disable();
	switch (locate_addr(addr, bytes, space)) {
	case KERNEL:
		v.is_read = load_mem(KERNEL, &v.value, addr, bytes);
		break;
	case USER:
		v.is_read = load_mem(USER, &v.value, addr, bytes);
		break;
	case NOWHERE:
		break;
	}
	pagefault_enable();
	return v;
}

/*
 * Most addresses are in the kernel's linear mappings, and are read without locate_addr(). Page
 * faults need not be disabled to read a kernel address: no page is faulted in.
 */
struct fargs_mem_value notrace fargs_mem_load(u64 addr, u32 bytes, enum fargs_space space)
{
	struct fargs_mem_value v = { };

	if (unlikely(space == FARGS_SPACE_USER || !fargs_arch_is_linear(addr)))
		return load_anywhere(addr, bytes, space);
	v.is_read = load_mem(KERNEL, &v.value, addr, bytes);
	return v;
}

static __always_inline bool copy_mem(enum where where, u8 *to, unsigned long addr, u32 bytes)
{
	u32 i = 0;
	u64 word;
	u8 byte;

	if (!begin_access(where, addr, bytes))
		return false;
	for (; bytes - i >= 8; i += 8) {
		GET(where, word, u64, addr + i, fault);
		memcpy(to + i, &word, sizeof(word));
	}
	for (; i < bytes; i++) {
		GET(where, byte, u8, addr + i, fault);
		to[i] = byte;
	}
	end_access(where);
	return true;
fault:
	end_access(where);
	return false;
}

/*
 * Reads are split at page boundaries, since each page may be mapped differently. Within a
 * page, memory can be read in whole words, regardless of the next page.
 */
static __always_inline u32 bytes_in_page(unsigned long addr, u32 bytes)
{
	return min_t(unsigned long, bytes, PAGE_SIZE - (addr & ~PAGE_MASK));
}

static notrace bool copy_in_page(u8 *to, unsigned long addr, u32 bytes, enum fargs_space space)
{
	switch (locate_addr(addr, bytes, space)) {
	case KERNEL:
		return copy_mem(KERNEL, to, addr, bytes);
	case USER:
		return copy_mem(USER, to, addr, bytes);
	default:
		return false;
	}
}

bool notrace fargs_mem_copy(u8 *to, u64 addr, u32 bytes, enum fargs_space space)
{
	bool is_read = true;

	pagefault_disable();
	while (is_read && bytes) {
		u32 n = bytes_in_page(addr, bytes);

		is_read = copy_in_page(to, addr, n, space);
		to += n;
		addr += n;
		bytes -= n;
	}
	pagefault_enable();
	return is_read;
}

/*
 * Copies a string up to its NUL, or @bytes bytes if there is no NUL in them. Returns the
 * number of bytes without the NUL, and sets *@is_end if there was a NUL; returns -1 if a
 * read failed. May write up to the next multiple of 8; the caller must have room for that.
 */
static __always_inline s32 copy_str_mem(enum where where, u8 *to, unsigned long addr, u32 bytes,
					bool *is_end)
{
	u64 word, zeros;
	u32 i = 0;
	u8 byte;

	if (!begin_access(where, addr, bytes))
		return -1;
	for (; bytes - i >= 8; i += 8) {
		GET(where, word, u64, addr + i, fault);
		zeros = fargs_mem_zero_bytes(word);
		if (zeros)
			word = fargs_mem_before_zero(word, zeros);
		memcpy(to + i, &word, sizeof(word));
		if (zeros) {
			i += __ffs(zeros) / 8;
			*is_end = true;
			goto out;
		}
	}
	for (; i < bytes; i++) {
		GET(where, byte, u8, addr + i, fault);
		to[i] = byte;
		if (!byte) {
			*is_end = true;
			goto out;
		}
	}
out:
	end_access(where);
	return i;
fault:
	end_access(where);
	return -1;
}

static notrace s32 copy_str_in_page(u8 *to, unsigned long addr, u32 bytes,
				    enum fargs_space space, bool *is_end)
{
	switch (locate_addr(addr, bytes, space)) {
	case KERNEL:
		return copy_str_mem(KERNEL, to, addr, bytes, is_end);
	case USER:
		return copy_str_mem(USER, to, addr, bytes, is_end);
	default:
		return -1;
	}
}

s32 notrace fargs_mem_copy_str_anywhere(u8 *to, u64 addr, u32 max, enum fargs_space space)
{
	bool is_end = false;
	u32 len = 0;

	pagefault_disable();
	while (!is_end && len < max) {
		s32 n = copy_str_in_page(to + len, addr + len, bytes_in_page(addr + len, max - len),
					 space, &is_end);

		if (n < 0) {
			pagefault_enable();
			return -1;
		}
		len += n;
	}
	pagefault_enable();
	if (!is_end) {
		struct fargs_mem_value next = fargs_mem_load(addr + len, 1, space);

		if (!next.is_read || next.value)
			len |= FARGS_MEM_CUT;
	}
	return len;
}

s32 notrace fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space)
{
	u32 len;

	if (likely(fargs_mem_copy_str_words(to, addr, max, space, &len)))
		return len;
	return fargs_mem_copy_str_anywhere(to, addr, max, space);
}
