/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The value of --itrace: which events are synthesized from a trace, and how. The letters and their
 * arguments are those of perf; see perf-intel-pt(1).
 */
#ifndef FARGS_SOURCE_PT_TRACE_ITRACE_H
#define FARGS_SOURCE_PT_TRACE_ITRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define FARGS_ITRACE_PERIOD_NS		100000
#define FARGS_ITRACE_CHAIN		16
#define FARGS_ITRACE_CHAIN_MAX		1024
#define FARGS_ITRACE_BRANCHES		64
#define FARGS_ITRACE_BRANCHES_MAX	1024

enum fargs_itrace_unit {
	FARGS_ITRACE_INSNS,
	FARGS_ITRACE_TICKS,		/* of the TSC */
	FARGS_ITRACE_NS,
};

/* The flags of a letter: bit 0 is a, bit 25 is z. */
struct fargs_itrace_flags {
	uint32_t plus, minus;
};

/* Initialize with zeroes, which selects nothing. */
struct fargs_itrace {
	bool has_branches;		/* b; with c or r, only calls or returns are selected */
	bool has_calls;			/* c */
	bool has_returns;		/* r */
	bool has_insns;			/* i */
	bool has_cycles;		/* y */
	bool has_transactions;		/* x */
	bool has_ptwrites;		/* w */
	bool has_power;			/* p: power events, CBR and PSB */
	bool has_others;		/* o: PEBS records */
	bool has_interrupts;		/* I: event trace */
	bool has_errors;		/* e */
	bool has_log;			/* d */
	bool has_chain;			/* g: call chains of synthesized events */
	bool adds_chain;		/* G: call chains of recorded samples */
	bool has_last_branches;		/* l */
	bool adds_last_branches;	/* L */
	bool has_vague_ipc;		/* A */
	bool is_timeless;		/* Z */
	struct fargs_itrace_flags error_flags;
	struct fargs_itrace_flags log_flags;
	/*
	 * From one event of i or y to the next, in @unit. At least 1 if @has_insns or @has_cycles:
	 * a period of 0, which means as often as possible, becomes one instruction.
	 */
	uint64_t period;
	enum fargs_itrace_unit unit;
	bool has_period;		/* a period was given */
	unsigned int chain_max;		/* with g or G: most entries of a call chain */
	unsigned int branches_max;	/* with l or L: most branches of a sample */
	uint64_t nr_skipped;		/* s: events omitted at the beginning */
	unsigned int quick;		/* number of q */
	bool is_default;		/* no letters were given */
};

/*
 * Adds the letters of @value to @itrace. Blanks and commas may separate letters. Letters for the
 * trace units of other processors (a, f, m, M, t, T) are accepted, and select nothing. Returns 0,
 * or -EINVAL with @err.
 */
int fargs_itrace_parse(struct fargs_itrace *itrace, const char *value,
		       struct fargs_error_text *err);

/* Sets @itrace to what perf script shows without a value: cepwx, and what o and I select. */
void fargs_itrace_set_default(struct fargs_itrace *itrace);

/* Returns whether @flags has the flag @letter with a plus, or with a minus. */
static inline bool fargs_itrace_has_plus(struct fargs_itrace_flags flags, char letter)
{
	return flags.plus & 1u << (letter - 'a');
}

static inline bool fargs_itrace_has_minus(struct fargs_itrace_flags flags, char letter)
{
	return flags.minus & 1u << (letter - 'a');
}

#endif
