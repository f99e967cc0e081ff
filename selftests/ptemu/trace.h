/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces one vCPU: converts its execution to packets in the guest's buffer, and to records in the
 * log (truth.h).
 *
 * Addresses in the upper half of the address space count as the kernel's: they, not the privilege
 * level, decide what is traced.
 */
#ifndef PTEMU_TRACE_H
#define PTEMU_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "insn.h"
#include "model.h"
#include "packet.h"
#include "topa.h"
#include "truth.h"

#define TRACE_RET_STACK	64

/* Linux' selector of 32-bit code in user space; all other code is 64-bit. */
#define TRACE_USER32_CS	0x23

/* The functions of the machine that a trace uses. They concern the vCPU that calls them. */
struct trace_machine {
	uint64_t (*tsc)(void);
	uint64_t (*cr2)(void);
	uint64_t (*cr3)(void);
	uint64_t (*flags)(void);
	uint64_t (*code_segment)(void);	/* the selector in CS */
	uint64_t (*stack)(void);	/* RSP */
	uint64_t (*kernel_gs)(void);	/* the kernel's base of GS */
	bool (*read)(uint64_t address, void *to, size_t size);
	struct topa_memory memory;
};

struct trace {
	const struct trace_machine *machine;
	struct model model;
	struct packet_out out;
	struct clock clock;
	struct topa topa;
	struct truth truth;

	bool is_on;		/* TraceEn is set, and the trace has not stopped */
	bool is_context;	/* ContextEn: the vCPU is in a context that is traced */
	bool is_enabled;	/* PacketEn: also, the code is in the ranges that are traced */
	bool is_interrupt;	/* a PMI must be delivered; the owner clears the flag */

	/*
	 * The block that is executed, with is_walking: only while is_context. All instructions
	 * before index @at were executed and counted; the one at @at is next.
	 */
	bool is_walking;
	const struct insn *block;
	uint64_t moved;		/* distance of the block from where it was translated */
	unsigned int at;

	uint64_t now;		/* TSC of the event that is being handled */
	uint64_t expected;	/* address at which execution continues after an interrupt */
	uint64_t cr3;
	struct trace_mode {
		unsigned int nr_bits;
		bool is_if;
	} mode;			/* of the last MODE.Exec */
	uint64_t since_psb;	/* bytes of trace since the last PSB */
	uint64_t offset;	/* bytes of trace generated in total */
	uint64_t since_ovf;	/* bytes of trace since the last overflow */
	bool is_losing;
	uint64_t nr_lost;	/* number of branches lost in this overflow */
	bool is_idle;		/* a power event has begun, */
	uint8_t idle_state;	/* for this C-state */
	uint64_t random;	/* state of the random numbers */

	/* What was last written to the log. */
	uint64_t run_ip;
	uint32_t run_nr;
	bool is_run;
	uint64_t space_cr3;
	uint32_t space;		/* nr of TRUTH_SPACE */
	struct trace_task {
		uint32_t pid;
		uint64_t name[2];
	} task;
	uint64_t stack_base;	/* of the kernel stack last seen */
	unsigned int task_checks;	/* number of blocks after which the task is read again */

	uint64_t stack[TRACE_RET_STACK];
	unsigned int stack_top, stack_depth;

	unsigned int buffered;
	uint8_t buffer[4096];
	uint64_t nr_odd, nr_faults;
};

void trace_init(struct trace *trace, const struct trace_machine *machine);

/*
 * Returns whether trace_block() must be called for blocks in the kernel (@is_kernel) or in user
 * space.
 */
bool trace_wants(const struct trace *trace, bool is_kernel);

/*
 * Called when a block is about to be executed; @first: its first instruction, which runs @moved
 * bytes from where it was translated. @last: the last instruction that was started, where it ran;
 * all instructions before it in its block were executed. NULL: no instruction was started since an
 * interrupt.
 */
void trace_block(struct trace *trace, const struct insn *last, const struct insn *first,
		 uint64_t moved);
/* Called when an interrupt or exception is delivered. */
void trace_async(struct trace *trace, const struct insn *last, uint64_t from, uint64_t to);
/* Called when a PTWRITE is about to be executed. */
void trace_ptwrite(struct trace *trace, const struct insn *insn, uint64_t value);
/* Called when an HLT is about to be executed, or an MWAIT with these values of EAX and ECX. */
void trace_idle(struct trace *trace, const struct insn *insn, uint32_t eax, uint32_t ecx);

/* Emulate WRMSR and RDMSR at @insn. Return false for registers of other devices. */
bool trace_wrmsr(struct trace *trace, const struct insn *insn, uint32_t msr, uint64_t value);
bool trace_rdmsr(struct trace *trace, uint32_t msr, uint64_t *value);

#endif
