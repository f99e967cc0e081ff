/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records to events. Takes them in merged time order, so that the names of
 * tasks are those of the moment, and needs nothing but struct fargs_meta: a
 * live session and a trace file give the same events.
 */
#ifndef FARGS_DECODE_DECODER_H
#define FARGS_DECODE_DECODER_H

#include "decode/account.h"
#include "decode/event.h"
#include "decode/meta.h"
#include "util/error.h"

struct fargs_decoder;
struct fargs_ksym;

/*
 * @meta must outlive it. Functions and BTF are looked up as records need them;
 * rounds of clock samples added to @meta later are taken in by themselves.
 * NULL on failure.
 */
struct fargs_decoder *fargs_decoder_create(struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_decoder_destroy(struct fargs_decoder *d);

/*
 * Decodes one record, whose header has been checked (rings, merge and files
 * do): counts it, follows tasks, fills *@ev. Returns 0; -EIO for a record that
 * makes no sense, which was counted as corrupt (*@ev then holds cpu and what
 * the header says, with no arguments); -ENOMEM. The record must live as long
 * as *@ev is used.
 */
int fargs_decoder_event(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			struct fargs_event *ev);

/* fargs_ksyms_find_addr on meta->ksyms, for addresses that come again and again. */
const struct fargs_ksym *fargs_decoder_symbol(struct fargs_decoder *d, uint64_t addr);

/* What arrived so far. Owned by the decoder. */
struct fargs_account *fargs_decoder_account(struct fargs_decoder *d);
const struct fargs_meta *fargs_decoder_meta(const struct fargs_decoder *d);

#endif
