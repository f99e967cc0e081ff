/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notes packets that do not affect the flow, such as those of power events, until the walker gets
 * to where they occurred. For lead.c.
 */
#ifndef FARGS_SOURCE_PT_DECODE_WALK_NOTES_H
#define FARGS_SOURCE_PT_DECODE_WALK_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/walk/lead.h"

/* Notes @p as an item of @kind with the value @to. Returns NULL if there is no room. */
struct fargs_pt_note *fargs_pt_note(struct fargs_pt_leads *l, const struct fargs_pt_packet *p,
				    enum fargs_pt_item_kind kind, uint64_t to);
/* Notes that the trace is in a transaction, or not. */
void fargs_pt_note_tsx_status(struct fargs_pt_leads *l, const struct fargs_pt_packet *p);
/*
 * Notes a packet that reports power or the like. Returns whether that completes the lead: not if a
 * FUP belongs to it, or if it is between the packets of another lead.
 */
bool fargs_pt_note_power(struct fargs_pt_leads *l, const struct fargs_pt_packet *p,
			 bool is_between);
/*
 * As fargs_pt_note_power(), for a CFE or EVD. While tracing is on, an event comes with a FUP, its
 * own or that of a branch.
 */
bool fargs_pt_note_event(struct fargs_pt_leads *l, const struct fargs_pt_packet *p);
/*
 * As fargs_pt_note_power(), for the BEP @p, which ends a PEBS record. Notes nothing without its
 * begin: it was lost, or another packet has cut the record.
 */
bool fargs_pt_note_pebs(struct fargs_pt_leads *l, const struct fargs_pt_packet *p, bool is_between);
/*
 * Keeps the PEBS record of @note, which was read from @l. Returns its index in flow->words, or
 * SIZE_MAX if out of memory.
 */
size_t fargs_pt_note_keep_pebs(const struct fargs_pt_leads *l, const struct fargs_pt_note *note,
			       struct fargs_pt_flow *flow);
/* Returns whether the packets that follow a FUP make it an asynchronous event. */
bool fargs_pt_is_async(const struct fargs_pt_leads *l);

#endif
