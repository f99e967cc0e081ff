/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Properties of the machine other than its calling convention: clock, flags register, ELF machine.
 */
#ifndef FARGS_ABI_MACHINE_H
#define FARGS_ABI_MACHINE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>
#include <x86intrin.h>

#include "uapi/fargs_record.h"

/* ELF machine (e_machine) of the kernel's modules. */
#define FARGS_MACHINE_ELF	EM_X86_64

/* Reads the clock that is used for struct fargs_record.tsc: this CPU's TSC, in ticks. */
static inline uint64_t fargs_machine_clock(void)
{
	return __rdtsc();
}

/* Were interrupts disabled? @eflags: low half of the flags register (struct fargs_record). */
static inline bool fargs_machine_has_irqs_off(uint16_t eflags)
{
	return !(eflags & FARGS_EFLAGS_IF);
}

/* Is @addr in the kernel's half of the address space? */
static inline bool fargs_machine_is_kernel(uint64_t addr)
{
	return addr >> 63;
}

/* Can @addr be in the image of the kernel or in a module? Other memory of the kernel is below. */
static inline bool fargs_machine_is_image(uint64_t addr)
{
	return addr >= 0xffffffff80000000;
}

/* Address of the interrupted instruction in a signal handler. */
static inline uint64_t fargs_machine_signal_ip(const ucontext_t *uc)
{
	return uc->uc_mcontext.gregs[REG_RIP];
}

#endif
