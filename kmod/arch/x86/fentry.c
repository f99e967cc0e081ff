// SPDX-License-Identifier: GPL-2.0-only
#include "arch/fentry.h"

#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/nops.h>
#include <asm/pgtable.h>

#define CALL_BYTES	5
#define ENDBR_BYTES	4

static bool is_fentry(const u8 *insn)
{
	static const u8 nop[] = { BYTES_NOP5 };

	/*
	 * At a fentry address there is a nop or, while the function is traced, a call or (for BPF
	 * since 7.x) a jump; while the instruction is being patched, it begins with an int3.
	 * Callers rely on ftrace to reject other addresses that have such an instruction.
	 */
	return insn[0] == 0xe8 || insn[0] == 0xe9 || insn[0] == 0xcc ||
	       !memcmp(insn, nop, CALL_BYTES);
}

unsigned long fargs_fentry_find(unsigned long addr)
{
	u8 text[ENDBR_BYTES + CALL_BYTES];

	/* Read only text of the kernel and modules: reading a device may have side effects. */
	if (addr < __START_KERNEL_map || addr >= MODULES_END - sizeof(text))
		return 0;
	if (copy_from_kernel_nofault(text, (void *)addr, sizeof(text)))
		return 0;
	if (is_fentry(text))
		return addr;
	/* The function may begin with an ENDBR, or with the nop that replaced its ENDBR. */
	if (is_fentry(text + ENDBR_BYTES))
		return addr + ENDBR_BYTES;
	return 0;
}
