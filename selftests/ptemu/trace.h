/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracing of one vCPU: from what it executes to packets in the guest's buffer, and to
 * the truth log.
 *
 * Addresses in the upper half are the kernel's: that, not the privilege level, is what
 * tells kernel from user.
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

/* What the trace asks of the machine. */
struct trace_machine {
	uint64_t (*tsc)(void);
	uint64_t (*cr3)(void);
	struct topa_memory memory;
};

struct trace {
	const struct trace_machine *machine;
	struct model model;
	struct packet_out out;
	struct clock clock;
	struct topa topa;
	struct truth truth;

	bool is_open;		/* the log's files are */
	bool is_on;		/* TraceEn, and no full buffer */
	bool is_enabled;	/* PacketEn: it executes what is traced */
	bool is_interrupt;	/* a PMI is due; the owner clears it */

	uint64_t now;		/* TSC of what is being looked at */
	uint64_t expected;	/* where it goes on after an interrupt */
	uint64_t cr3;
	uint64_t since_psb;	/* bytes */
	uint64_t offset;	/* bytes generated */
	uint64_t since_ovf;	/* bytes */
	bool is_losing;
	uint64_t nr_lost;	/* branches, in this overflow */

	uint64_t run_ip;
	uint32_t run_nr;
	bool is_run;

	uint64_t stack[TRACE_RET_STACK];
	unsigned int stack_top, stack_depth;

	unsigned int buffered;
	uint8_t buffer[4096];
	uint64_t nr_odd, nr_faults;
};

void trace_init(struct trace *trace, const struct trace_machine *machine);

/* Does it want to know of execution in the kernel, or in user space? */
bool trace_wants(const struct trace *trace, bool is_kernel);

/*
 * A block of instructions is about to be executed, @first its first. @last is the last
 * instruction that was begun before, of which all in its block before it were executed;
 * NULL where there is none since an interrupt.
 */
void trace_block(struct trace *trace, const struct insn *last, uint64_t first);
/* An interrupt, or an exception that is delivered. */
void trace_async(struct trace *trace, const struct insn *last, uint64_t from, uint64_t to);
/* PTWRITE, which is about to be executed. */
void trace_ptwrite(struct trace *trace, const struct insn *insn, uint64_t value);

/* WRMSR and RDMSR at @insn. False where the register is not ours. */
bool trace_wrmsr(struct trace *trace, const struct insn *insn, uint32_t msr, uint64_t value);
bool trace_rdmsr(struct trace *trace, uint32_t msr, uint64_t *value);

/* Stores what is generated in the guest's buffer. */
void trace_store(struct trace *trace);

#endif
