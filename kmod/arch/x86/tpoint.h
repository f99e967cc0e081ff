/* SPDX-License-Identifier: GPL-2.0-only */
/* The probe in tpoint_stub.S, and the offsets in struct pt_regs that the probe uses. */
#ifndef FARGS_KMOD_ARCH_X86_TPOINT_H
#define FARGS_KMOD_ARCH_X86_TPOINT_H

#define FARGS_REGS_BYTES	168
#define FARGS_REGS_BP		32
#define FARGS_REGS_R9		64
#define FARGS_REGS_R8		72
#define FARGS_REGS_CX		88
#define FARGS_REGS_DX		96
#define FARGS_REGS_SI		104
#define FARGS_REGS_DI		112
#define FARGS_REGS_IP		128
#define FARGS_REGS_CS		136
#define FARGS_REGS_SP		152

#ifndef __ASSEMBLER__
#include <linux/build_bug.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>

static_assert(sizeof(struct pt_regs) == FARGS_REGS_BYTES);
static_assert(offsetof(struct pt_regs, bp) == FARGS_REGS_BP);
static_assert(offsetof(struct pt_regs, r9) == FARGS_REGS_R9);
static_assert(offsetof(struct pt_regs, r8) == FARGS_REGS_R8);
static_assert(offsetof(struct pt_regs, cx) == FARGS_REGS_CX);
static_assert(offsetof(struct pt_regs, dx) == FARGS_REGS_DX);
static_assert(offsetof(struct pt_regs, si) == FARGS_REGS_SI);
static_assert(offsetof(struct pt_regs, di) == FARGS_REGS_DI);
static_assert(offsetof(struct pt_regs, ip) == FARGS_REGS_IP);
static_assert(offsetof(struct pt_regs, cs) == FARGS_REGS_CS);
static_assert(offsetof(struct pt_regs, sp) == FARGS_REGS_SP);

/**
 * fargs_tpoint_stub() - handle an event of any tracepoint
 * @data: the struct fargs_tpoint with which the probe was registered
 *
 * The probe function of all tracepoints. It saves all argument registers where templates expect
 * them, regardless of the tracepoint's prototype, and calls fargs_tpoint_call().
 *
 * Context: Any context in which a tracepoint fires, NMI included.
 */
void fargs_tpoint_stub(void *data);

/**
 * fargs_tpoint_call() - capture an event of a tracepoint
 * @regs: argument registers, the first of which contains the stub's @data; ip, bp, and sp, which
 *	points to the return address
 *
 * Implemented by the code that registers the stub (probe/tpoint.c).
 *
 * Context: Any context in which a tracepoint fires, NMI included. RCU is watching.
 */
void fargs_tpoint_call(struct pt_regs *regs);
#endif

#endif
