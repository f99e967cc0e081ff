/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The truth of a synthetic stream: what was executed, in order, and when. It is written by the
 * machine, before any packet is made of it.
 */
#ifndef SYNTH_RECORD_H
#define SYNTH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum record_kind {
	RECORD_INSN,		/* an instruction at ip; a: CR3, bit 0: guest; b: 16, 32 or 64 */
	RECORD_ENABLED,		/* tracing begins at ip */
	RECORD_DISABLED,	/* tracing ends with the instruction before; ip: its target */
	RECORD_ASYNC_DISABLED,	/* tracing ends before a; ip: the target */
	RECORD_ASYNC,		/* interrupt, exception, VM exit or abort: before ip, to a */
	RECORD_PAGING,		/* a: CR3, b: guest */
	RECORD_VMCS,		/* a: address */
	RECORD_TX,		/* ip: first instruction; a: in a transaction, b: aborted */
	RECORD_OVERFLOW,	/* packets were lost; ip: where the trace goes on */
	RECORD_STOP,		/* a TraceStop region was entered */
	RECORD_PTWRITE,		/* by the instruction at ip; a: value, b: size */
	RECORD_MWAIT,		/* ip; a: hints, b: extensions */
	RECORD_PWRE,		/* a: C-state, sub C-state << 8; b: by hardware */
	RECORD_EXSTOP,		/* ip */
	RECORD_PWRX,		/* a: last, deepest << 8; b: enum packet_wake */
	RECORD_CBR,		/* a: core:bus ratio */
	RECORD_MNT,		/* a: payload */
	RECORD_CFE,		/* event before ip; a: enum packet_cfe, b: vector */
	RECORD_EVD,		/* data of the next CFE; a: enum packet_evd, b: payload */
	RECORD_IF,		/* from ip on; a: RFLAGS.IF */
	RECORD_PEBS,		/* a PEBS record before ip; a: number of items */
	RECORD_PEBS_ITEM,	/* a: type of the block, ID << 8, size << 16; b: value */
	RECORD_PSB,		/* a: byte offset of a PSB in the stream; ip: next instruction */
};

struct record {
	uint8_t kind;		/* enum record_kind */
	bool has_ip;
	bool is_tx;		/* INSN: in a transaction */
	bool is_lost;		/* INSN: no packet tells that it was executed */
	uint64_t ip, a, b;
	uint64_t tsc;		/* of the host */
	uint64_t guest_tsc;	/* as the CPU reads it: with offset and scaling in a guest */
};

struct records {
	struct record *all;
	size_t nr;
};

/* Adds a copy. Exits if memory is short. */
void records_add(struct records *records, const struct record *record);
void records_deinit(struct records *records);
void record_print(const struct record *record, FILE *to);
void records_print(const struct records *records, FILE *to);

#endif
