/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The branches, instructions and errors of an Intel PT trace as a source, and what else its packets
 * report (reported.h). A branch has the values ip (address of the branch), symbol (function that
 * contains ip), addr (target address), target (function that contains addr), flags (perf's words
 * for the kind of branch), and marks (perf's letters x, D and t).
 */
#ifndef FARGS_SOURCE_PT_EVENTS_BRANCHES_H
#define FARGS_SOURCE_PT_EVENTS_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/error.h"
#include "source/pt/decode/flow.h"
#include "source/pt/events/reported.h"
#include "source/pt/input/input.h"
#include "source/pt/trace/decoder.h"
#include "source/pt/trace/itrace.h"
#include "source/source.h"

/* Which items of the trace become events. */
struct fargs_pt_which {
	bool has_branches;		/* all branches */
	bool has_calls;			/* calls, interrupts, and where the trace ends */
	bool has_returns;		/* returns, and where the trace begins */
	/* From one sample of an instruction to the next of the same CPU, in @insn_unit; 0: none. */
	uint64_t insn_period;
	bool omits_insns;		/* samples are only taken for @has_cycles */
	bool has_cycles;		/* samples of cycles, where instructions are sampled */
	bool has_vague_ipc;		/* report cycles at each change of the time */
	enum fargs_itrace_unit insn_unit;
	unsigned int chain_max;		/* most addresses of a call chain; 0: none */
	unsigned int branches_max;	/* most last branches of a sample; 0: none */
	uint64_t nr_skipped;		/* events to omit at the beginning, without errors */
	enum fargs_pt_quick_level quick;	/* other than NOT: packets alone are decoded */
	bool has_errors;
	struct fargs_pt_error_flags error_flags;
	bool has_ptwrites;
	uint8_t wants;			/* enum fargs_pt_wants: what else becomes an event */
	enum fargs_pt_engine engine;	/* what decodes */
};

/*
 * Initializes @meta, which the caller frees after the source. @in and @which must outlive the
 * source. Returns NULL with @err on error.
 */
struct fargs_event_source *fargs_pt_branches_source(const struct fargs_pt_input *in,
					      const struct fargs_pt_which *which,
					      struct fargs_meta *meta,
					      struct fargs_error_text *err);

/*
 * Called before an event with the time @ns, or with a later one, is added, after all events before
 * it were passed on. *@next_ns: the time before which it need not be called again. Returns 0,
 * -ECANCELED if the source must stop, or another error.
 */
typedef int (*fargs_pt_before_fn)(void *arg, uint64_t ns, uint64_t *next_ns);

/* Call before the source runs. */
void fargs_pt_branches_set_before(struct fargs_event_source *source, fargs_pt_before_fn before,
				  void *arg);
void fargs_pt_branches_source_destroy(struct fargs_event_source *source);

/* Marks the period (to) of an instruction that is a sample of cycles. */
#define FARGS_PT_CYCLES	(1ull << 63)

/*
 * For hooks that need more than the event has: returns the item of the flow of which the event of
 * @item, which is not an error, was made. The members that it has are @from, @kind, @insn, @flags,
 * and @to (of an instruction: the period) or for a PSB @offset.
 */
struct fargs_pt_item fargs_pt_events_item(const struct fargs_item *item);
/* Likewise, returns the EVDs of the last event that @d has made, if it is a CFE. */
const struct fargs_pt_evd *fargs_pt_events_evds(struct fargs_decoder *d, unsigned int *nr);
struct fargs_pt_pebs_sample;

/* Likewise, returns the PEBS record. */
const struct fargs_pt_pebs_sample *fargs_pt_events_pebs(struct fargs_decoder *d);

#endif
