/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU: executes code as it is told, records the truth, and lets order.c make packets of it.
 * Every function returns NULL, or an error in the description.
 */
#ifndef SYNTH_MACHINE_H
#define SYNTH_MACHINE_H

#include "code.h"
#include "order.h"
#include "record.h"

#define MACHINE_RANGES		4	/* address ranges; CPUs have at most 4 */
#define MACHINE_RET_STACK	64

struct machine_range {
	uint64_t first, last;
	bool is_stop;			/* a TraceStop region, not a filter */
};

struct machine_stack {
	uint64_t ips[MACHINE_RET_STACK];
	unsigned int top, depth;
};

struct machine_config {
	struct order_config order;
	struct stream_config stream;
	struct timing_config timing;
	bool has_user, has_os, has_ret_compression;
	bool has_cr3_match;
	uint64_t cr3_match;
	struct machine_range ranges[MACHINE_RANGES];
	unsigned int nr_ranges;
	unsigned int cycles_per_insn;
	uint64_t psb_period;		/* bytes between PSBs; 0: only where they are asked for */
	unsigned int family, model;	/* of the CPU, for decoders */
};

/* What an instruction that transfers control does; members that are not set keep their value. */
struct machine_target {
	uint64_t ip;
	bool has_ip, has_cr3, has_vmcs, has_cpl, has_if, has_pfa, has_reason, has_qualification;
	bool is_entry_off;
	uint64_t cr3, vmcs, pfa, reason, qualification;
	unsigned int cpl;
	bool is_if;
	int64_t vector;			/* -1: none */
	uint64_t value;			/* of PTWRITE */
};

enum machine_event {
	MACHINE_INTERRUPT,		/* interrupt, exception or fault */
	MACHINE_VMEXIT,
	MACHINE_SMI,
	MACHINE_ABORT,			/* of a transaction */
	MACHINE_UINTR,
	MACHINE_INIT,			/* the CPU waits for a SIPI, which starts it elsewhere */
	MACHINE_SIPI,
};

struct machine {
	struct machine_config config;
	struct code code;
	struct order order;
	struct records records;

	bool is_started, is_trace_en, is_filter_en, is_stopped, is_losing;
	bool is_waiting;		/* for a SIPI */
	bool is_blind;			/* SKD010: no FUP has told where the trace goes on */
	uint64_t ip;
	struct order_state cpu;		/* has_context and is_on are computed */
	unsigned int cpl;
	uint64_t host_cr3, abort_ip;
	unsigned int nr_nested;		/* transactions */
	struct machine_stack software;	/* where returns go */
	struct machine_stack calls;	/* the CPU's, for the compression of returns */
	unsigned int noted_if;		/* 1 + the last value that was recorded; 0: none */
	size_t nr_certain;		/* records that packets so far prove */
	size_t last_psb;		/* offset of the last PSB */
	uint8_t pebs_type;		/* of the current block of a PEBS record */
	unsigned int pebs_size;		/* of its items; 0: none */
};

void machine_init(struct machine *m);
void machine_deinit(struct machine *m);

/* Starts at @ip with TraceEn set or not. The configuration must not change afterwards. */
const char *machine_start(struct machine *m, uint64_t ip, bool is_on);
/* Executes one instruction; @target: what it transfers to, if it is not in the code. */
const char *machine_step(struct machine *m, bool is_taken, const struct machine_target *target);
/* Executes instructions until one needs a decision, or up to @until. *@stop: reached. */
const char *machine_run(struct machine *m, bool has_until, uint64_t until);
/* Executes up to and including the next conditional branch. */
const char *machine_branch(struct machine *m, bool is_taken);
/* Executes up to and including the next instruction that needs a target. */
const char *machine_to(struct machine *m, const struct machine_target *target);
/* Executes up to and including the next PTWRITE. */
const char *machine_ptwrite(struct machine *m, uint64_t value);
/* Something happens before the next instruction. */
const char *machine_event(struct machine *m, enum machine_event event,
			  const struct machine_target *target);
/* Software sets or clears TraceEn at the next instruction. */
const char *machine_trace(struct machine *m, bool is_on);
const char *machine_psb(struct machine *m);
const char *machine_lose(struct machine *m);
/* @is_off: the overflow ends in the moment in which software clears TraceEn. */
const char *machine_recover(struct machine *m, bool is_off);
void machine_end(struct machine *m);

/* Adds a record at this time. */
struct record *machine_note(struct machine *m, enum record_kind kind, bool has_ip, uint64_t ip,
			    uint64_t a, uint64_t b);
/* The state of the CPU as packets show it, with TriggerEn, ContextEn and PacketEn. */
struct order_state machine_state(const struct machine *m);
/* Whether an address is in a TraceStop region; whether the filters let it be traced. */
bool machine_is_stop(const struct machine *m, uint64_t ip);
bool machine_is_traced(const struct machine *m, uint64_t ip);
/* Lets the time of an instruction pass. */
void machine_advance(struct machine *m);
/* Everything so far is proven by a packet with the address of the next instruction. */
void machine_prove(struct machine *m);

#endif
