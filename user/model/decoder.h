/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes records into events. Takes records in merged time order, so that tasks have the names
 * of that time. Needs only struct fargs_meta: a live session and a trace file give the same
 * events.
 */
#ifndef FARGS_MODEL_DECODER_H
#define FARGS_MODEL_DECODER_H

#include "base/error.h"
#include "model/account.h"
#include "model/event.h"
#include "model/meta.h"
#include "model/stamped.h"
#include "model/tasks.h"

struct fargs_clockline;
struct fargs_decoder;
struct fargs_formats;
struct fargs_ksym;
struct fargs_ksyms;

/*
 * @meta must outlive the decoder. Functions and BTF are looked up when a record needs them; rounds
 * of clock samples that are added to @meta later are used, too. NULL on failure.
 */
struct fargs_decoder *fargs_decoder_create(struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_decoder_destroy(struct fargs_decoder *d);
/* Uses @formats, which it then owns, instead of those of its meta, which must have events. */
void fargs_decoder_set_formats(struct fargs_decoder *d, struct fargs_formats *formats);

/*
 * Decodes one record whose header was checked (rings, mergers and files check it): counts it,
 * follows tasks, fills *@ev. Returns 0; -EIO for a corrupt record, which was counted as one (*@ev
 * then holds cpu and the fields of the header, but no arguments); or -ENOMEM. The record must
 * live as long as *@ev is used.
 */
int fargs_decoder_event(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			struct fargs_event *ev);
/* The same for a record that has its time from the merger. */
int fargs_decoder_stamped(struct fargs_decoder *d, const struct fargs_stamped *stamped,
			  struct fargs_event *ev);

/*
 * The clock that converts the times of records, with all rounds of meta; owned by the decoder.
 * NULL: no memory.
 */
struct fargs_clockline *fargs_decoder_clock(struct fargs_decoder *d);

/*
 * The same in parts, for several threads: each thread parses with a decoder of its own, and one
 * decoder follows tasks and counts, in time order.
 *
 * parse fills the event as fargs_decoder_stamped does, but for its guest, and counts nothing;
 * @task is the task of the record, or NULL. task returns the task of a record, or NULL if it is
 * unknown; it lives until the next follow. follow applies a TASK record to the known tasks: 0 or
 * -ENOMEM. guest returns the event's guest.
 */
int fargs_decoder_parse(struct fargs_decoder *d, const struct fargs_stamped *stamped,
			const struct fargs_task *task, struct fargs_event *ev);
const struct fargs_task *fargs_decoder_task(const struct fargs_decoder *d,
					    const struct fargs_record *rec);
const struct fargs_ksyms *fargs_decoder_guest(const struct fargs_decoder *d,
					      const struct fargs_record *rec);
int fargs_decoder_follow(struct fargs_decoder *d, const struct fargs_record *rec);
void fargs_decoder_count(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			 bool is_corrupt);

/* Show members that are all zeroes of structs fetched from memory? Default: no. */
void fargs_decoder_set_zeros(struct fargs_decoder *d, bool has_zeros);
bool fargs_decoder_has_zeros(const struct fargs_decoder *d);

/* Show tasks by their ids in their own pid namespaces? Default: no. */
void fargs_decoder_set_ns(struct fargs_decoder *d, bool has_ns);
bool fargs_decoder_has_ns(const struct fargs_decoder *d);

/* fargs_ksyms_find_addr on meta->ksyms with a cache, for addresses that occur often. */
const struct fargs_ksym *fargs_decoder_symbol(struct fargs_decoder *d, uint64_t addr);

/* Formats for FARGS_KIND_EVENT; NULL: the file has no events. */
struct fargs_formats *fargs_decoder_formats(struct fargs_decoder *d);

/* Counters of the records so far. Owned by the decoder. */
struct fargs_account *fargs_decoder_account(struct fargs_decoder *d);
const struct fargs_meta *fargs_decoder_meta(const struct fargs_decoder *d);

#endif
