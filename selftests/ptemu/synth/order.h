/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of packets: which packets the CPU generates for an operation. The cases are those of
 * the SDM, volume 3, table "Packet Generation under Different Enable Conditions"; the comments in
 * order.c give their numbers in the edition of 2018 (table 36-50). What that edition lacks (event
 * trace) is as libipt 2.1's tests ptet-*.ptt and Linux' perf read it.
 */
#ifndef SYNTH_ORDER_H
#define SYNTH_ORDER_H

#include "stream.h"

#define ORDER_EVD_MAX	3

enum order_erratum {
	ORDER_BDM64 = 1 << 0, ORDER_BDM70 = 1 << 1, ORDER_SKD007 = 1 << 2, ORDER_SKD010 = 1 << 3,
	ORDER_SKD022 = 1 << 4, ORDER_SKL014 = 1 << 5, ORDER_SKL168 = 1 << 6,
	ORDER_APL11 = 1 << 7, ORDER_APL12 = 1 << 8, ORDER_SKZ84 = 1 << 9,
};

struct order_config {
	bool has_branch;	/* RTIT_CTL.BranchEn */
	bool has_ptw, has_fup_on_ptw, has_power, has_event;
	bool has_tsx;		/* the CPU has TSX: MODE.TSX is in PSB+ */
	unsigned int errata;	/* enum order_erratum */
};

/* What packets show of a CPU. */
struct order_state {
	uint64_t cr3, vmcs;
	bool is_guest, is_in_tx, is_if;
	uint8_t nr_bits;
	bool has_context;	/* ContextEn, and TriggerEn */
	bool is_on;		/* PacketEn: also FilterEn */
	bool is_os;		/* RTIT_CTL.OS: PIP and VMCS are generated */
};

enum transfer_kind {
	TRANSFER_NONE,		/* to the next instruction: MOV to CR3, STI, CLI, ... */
	TRANSFER_DIRECT,
	TRANSFER_CONDITIONAL,
	TRANSFER_RET,		/* compressed, if taken */
	TRANSFER_INDIRECT,	/* near */
	TRANSFER_FAR,
	TRANSFER_ASYNC,		/* interrupts, exceptions, VM exits, TSX aborts; INT n */
	TRANSFER_SOFTWARE,	/* WRMSR that changes TraceEn */
};

struct transfer {
	enum transfer_kind kind;
	uint64_t from, to;
	bool is_taken;
	struct order_state before, after;
	bool has_pip, has_vmcs;
	bool is_abort;		/* of a transaction */
	bool is_in_filter;	/* FilterEn afterwards */
	bool is_stop;		/* the target is in a TraceStop region */
	bool is_entry_off;	/* a VM entry whose MSR-load area clears TraceEn */
	/* Event trace. */
	bool has_cfe;
	enum packet_cfe cfe;
	uint8_t vector;
	unsigned int nr_evd;
	struct { enum packet_evd type; uint64_t payload; } evd[ORDER_EVD_MAX];
};

struct order {
	struct order_config config;
	struct stream stream;
	uint8_t last_bits;	/* of the last MODE.Exec; 0: none since the PSB */
	bool last_if;
	bool is_mode_lost;	/* a MODE.Exec was dropped in this overflow */
	bool is_psb_due;	/* BDM70: a PSB+ waits for the next TIP.PGE */
	bool is_branch_last;	/* BDM64: the last instruction was a conditional branch */
};

void order_transfer(struct order *o, const struct transfer *t);
/* @ip: address of the next instruction. */
void order_psb(struct order *o, const struct order_state *state, uint64_t ip);
/* Software sets TraceEn. */
void order_enable(struct order *o, const struct order_state *state, uint64_t next);
/* A change of mode without branch: STI and CLI. Returns whether there is a packet. */
bool order_mode(struct order *o, const struct order_state *state, uint64_t next);
/* A transaction begins or ends at @next. */
void order_tx(struct order *o, const struct order_state *state, uint64_t next);
void order_vmcs(struct order *o, const struct order_state *state);
void order_ptwrite(struct order *o, uint64_t ip, uint64_t value, unsigned int size);

/* Packets are lost, until order_recover(); @is_off: TraceEn is cleared in this moment. */
void order_lose(struct order *o);
void order_recover(struct order *o, const struct order_state *state, uint64_t ip, bool is_off);

#endif
