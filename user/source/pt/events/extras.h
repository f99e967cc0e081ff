/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Data of a batch's items for which struct fargs_item has no room; in fargs_batch.used.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_EXTRAS_H
#define FARGS_SOURCE_PT_EVENTS_EXTRAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/batch.h"
#include "model/event.h"
#include "source/pt/events/chains.h"
#include "source/pt/events/reported.h"

/* Of one item. */
struct fargs_pt_extra {
	uint64_t offset;		/* of an error, in the trace */
	size_t at;			/* index in @words: of the callers, then of the branches */
	size_t evds_at;			/* index in @words: of the EVDs */
	bool has_chain, has_branches;	/* @nr_callers, @nr_branches is known */
	uint32_t nr_callers, nr_branches;
	uint32_t nr_evds;		/* of a CFE */
	size_t pebs_at;			/* index in @words: of a PEBS record */
};

struct fargs_pt_extras {
	struct fargs_pt_extra all[FARGS_BATCH_ITEMS];
	uint64_t *words;
	size_t nr, room;
};

/* Returns that of the batch's last item; NULL if out of memory. */
struct fargs_pt_extra *fargs_pt_extras_last(struct fargs_batch *batch);

/*
 * Keeps the callers and the last branches before the instruction at @ip for the batch's last item.
 * @chain_max, @branches_max: as given to fargs_pt_chains_create(). Returns 0 or -ENOMEM.
 */
int fargs_pt_extras_keep_chain(struct fargs_batch *batch, const struct fargs_pt_chains *chains,
			       unsigned int chain_max, unsigned int branches_max, uint64_t ip);

/* Sets the callers and last branches of @ev, the event of item @i. */
void fargs_pt_extras_set_chain(const struct fargs_batch *batch, unsigned int i,
			       struct fargs_event *ev);

/* Keeps the @nr @evds of a CFE for the batch's last item. Returns 0 or -ENOMEM. */
int fargs_pt_extras_keep_evds(struct fargs_batch *batch, const struct fargs_pt_evd *evds,
			      unsigned int nr);
/* Copies the EVDs of item @i to @evds, which has room for all. Returns their number. */
unsigned int fargs_pt_extras_evds(const struct fargs_batch *batch, unsigned int i,
				  struct fargs_pt_evd *evds);

/* Keeps the @nr @words of a packed PEBS record for the batch's last item. Returns 0 or -ENOMEM. */
int fargs_pt_extras_keep_pebs(struct fargs_batch *batch, const uint64_t *words, size_t nr);
/* Returns the words of item @i, a PEBS record. */
const uint64_t *fargs_pt_extras_pebs(const struct fargs_batch *batch, unsigned int i);

void fargs_pt_extras_release(struct fargs_batch *batch);

#endif
