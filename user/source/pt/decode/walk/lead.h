/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Combines packets to leads: what the trace reports next about the flow of control. A lead is one
 * or several packets: an interrupt, for instance, is a FUP with the address of the interrupted
 * instruction, and a TIP with the address of the handler. Timing packets and the others that do not
 * affect the flow are taken on the way.
 */
#ifndef FARGS_SOURCE_PT_DECODE_WALK_LEAD_H
#define FARGS_SOURCE_PT_DECODE_WALK_LEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/code/insn.h"
#include "source/pt/decode/flow.h"
#include "source/pt/packet/clock.h"
#include "source/pt/packet/packet.h"

/* @bits, @at, @to, @value and others are fields of struct fargs_pt_lead. */
enum fargs_pt_lead_kind {
	FARGS_PT_LEAD_NONE,		/* not read yet */
	FARGS_PT_LEAD_TNT,		/* @bits */
	FARGS_PT_LEAD_TIP,		/* the branch goes to @to */
	/*
	 * Those below are events: they occur before the instruction at @at, which must be reached
	 * without further branches that the trace reports.
	 */
	FARGS_PT_LEAD_ASYNC,		/* an interrupt or the like at @at, continued at @to */
	FARGS_PT_LEAD_ASYNC_OFF,	/* tracing was turned off at @at; continues at @to */
	FARGS_PT_LEAD_PGD,		/* a branch to @to turned tracing off */
	FARGS_PT_LEAD_PGE,		/* tracing is on from @to */
	FARGS_PT_LEAD_PSB,		/* a PSB+; its FUP is @at; without one, tracing is off */
	FARGS_PT_LEAD_OVF,		/* packets were lost; if @to is valid, it continues there */
	FARGS_PT_LEAD_FUP,		/* after an OVF: tracing is on from @at */
	FARGS_PT_LEAD_PTW,		/* PTWRITE of @value; at @at, if this is valid */
	/* only what is in fargs_pt_leads.noted; at @at, if this is valid */
	FARGS_PT_LEAD_NOTED,
	FARGS_PT_LEAD_BAD,		/* no packet begins at @offset */
	FARGS_PT_LEAD_END,		/* the bytes end, at a packet that is cut or before one */
};

enum fargs_pt_lead_changes {
	FARGS_PT_CHANGES_MODE = 1,
	FARGS_PT_CHANGES_GUEST = 2,
};

struct fargs_pt_lead {
	uint64_t at, to;		/* addresses; only valid with @has_at, @has_to */
	union {
		uint64_t bits;		/* as fargs_pt_packet.value of a TNT */
		uint64_t value;
	};
	uint64_t tsc;			/* the time of the packets; see also @vague */
	uint64_t nr_cycles;		/* cycles counted up to them */
	uint64_t offset;		/* of the first packet that affects the flow */
	uint8_t kind;			/* enum fargs_pt_lead_kind */
	uint8_t nr_bits;		/* number of @bits */
	uint8_t changes;		/* enum fargs_pt_lead_changes: which members are valid */
	/* With CHANGES_MODE, from here on: enum fargs_pt_exec_mode; the interrupt flag is 0. */
	uint8_t mode;
	bool is_if_off;
	bool is_guest;			/* with CHANGES_GUEST: VMX non-root operation */
	bool has_at, has_to;
	uint8_t nr_pips;		/* writes of CR3 since the last lead */
	bool has_cyc;			/* a CYC applies to the lead */
	bool is_abort;			/* a transaction was aborted */
	/* FARGS_PT_VAGUE if there are MTCs, but the error of @tsc has no limit; otherwise 0 */
	uint8_t vague;
};

/* A packet that does not affect the flow. Its members are those of struct fargs_pt_item. */
struct fargs_pt_note {
	uint64_t tsc, offset, to;
	uint8_t kind, insn, flags, vague;
	/* Of a TSX: nothing happens here, the trace only repeats whether it is in a transaction. */
	bool is_status;
};

#define FARGS_PT_NOTES_MAX	32

/* Reads leads. */
struct fargs_pt_leads {
	struct fargs_pt_reader reader;
	struct fargs_pt_clock clock;
	const uint8_t *begin;
	uint64_t last_ip;		/* for the compression of addresses */
	uint64_t nr_cycles;		/* cycles before @count_until, while tracing was on */
	uint64_t count_until;		/* offset */
	uint64_t nr_in_psb;		/* cycles in the current PSB+ */
	/* Without CYCs: @nr_cycles was @from_cycles at @from_tsc (0: not known yet). */
	uint64_t from_tsc, from_cycles;
	unsigned int tsc_ratio;		/* see fargs_pt_leads_ratio() */
	uint16_t errata;
	bool has_mtc;
	bool is_thresholded;		/* some CYC packets are omitted */
	bool is_counting;		/* tracing is on */
	bool has_cyc;			/* a CYC applies to the next lead */
	uint8_t before;			/* kind of the last packet, without PADs */
	uint8_t wants;			/* enum fargs_pt_wants; set by the caller */
	bool has_iflag;			/* MODE.Exec reports the interrupt flag */
	uint64_t group_at;		/* offset of a record's first BBP; UINT64_MAX: none */
	/*
	 * What was read and not yet taken by fargs_pt_leads_clear(): it belongs to the last lead,
	 * unless this is a branch, or to one that follows.
	 */
	uint8_t nr_noted;
	bool has_mwait;			/* one of them is an MWAIT */
	struct fargs_pt_note noted[FARGS_PT_NOTES_MAX];
};

/*
 * Returns the ratio of the TSC's rate to that of the bus, if cycles are estimated by MTCs; 0: they
 * are counted by CYCs, or not known.
 */
unsigned int fargs_pt_leads_ratio(const struct fargs_pt_config *config);
/*
 * Starts at the first of @size bytes, without knowledge. @count_until: see fargs_pt_leads. @wants:
 * enum fargs_pt_wants.
 */
void fargs_pt_leads_init(struct fargs_pt_leads *l, const struct fargs_pt_config *config,
			 const uint8_t *bytes, uint64_t size, uint64_t count_until,
			 uint8_t wants);
/* Reads the next lead. After BAD and END, reads the same again. */
void fargs_pt_leads_read(struct fargs_pt_leads *l, struct fargs_pt_lead *lead);
/* Empties l->noted. */
static inline void fargs_pt_leads_clear(struct fargs_pt_leads *l)
{
	l->nr_noted = 0;
	l->has_mwait = false;
}

/* Continues at the PSB at @offset. */
void fargs_pt_leads_sync(struct fargs_pt_leads *l, uint64_t offset);
/*
 * To be called if @lead, which was read last, shows that packets before it are wrong: times may be
 * wrong until the next TSC.
 */
void fargs_pt_leads_doubt(struct fargs_pt_leads *l, struct fargs_pt_lead *lead);

#endif
