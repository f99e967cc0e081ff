/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records to events. Takes them in merged time order, so that the names of
 * tasks are those of the moment, and needs nothing but struct fargs_meta: a
 * live session and a trace file give the same events.
 */
#ifndef FARGS_DECODE_DECODER_H
#define FARGS_DECODE_DECODER_H

#include "model/account.h"
#include "model/event.h"
#include "model/meta.h"
#include "model/tasks.h"
#include "model/stamped.h"
#include "base/error.h"

struct fargs_clockline;
struct fargs_decoder;
struct fargs_formats;
struct fargs_ksym;
struct fargs_ksyms;

/*
 * @meta must outlive it. Functions and BTF are looked up as records need them;
 * rounds of clock samples added to @meta later are taken in by themselves.
 * NULL on failure.
 */
struct fargs_decoder *fargs_decoder_create(struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_decoder_destroy(struct fargs_decoder *d);
/* Takes @formats in place of those of its meta, which must have events. */
void fargs_decoder_set_formats(struct fargs_decoder *d, struct fargs_formats *formats);

/*
 * Decodes one record, whose header has been checked (rings, merge and files
 * do): counts it, follows tasks, fills *@ev. Returns 0; -EIO for a record that
 * makes no sense, which was counted as corrupt (*@ev then holds cpu and what
 * the header says, with no arguments); -ENOMEM. The record must live as long
 * as *@ev is used.
 */
int fargs_decoder_event(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			struct fargs_event *ev);
/* The same for what merging has dated. */
int fargs_decoder_stamped(struct fargs_decoder *d, const struct fargs_stamped *stamped,
			  struct fargs_event *ev);

/* The clock by which it dates, with all rounds of meta; owned by it. NULL: no memory. */
struct fargs_clockline *fargs_decoder_clock(struct fargs_decoder *d);

/*
 * The same in parts, for several threads: each has a decoder of its own to parse with,
 * and one of these knows the tasks and counts, in the order of time.
 *
 * parse gives what fargs_decoder_stamped gives and counts nothing; @task is who the record
 * is of, or NULL. task: who that is, if it is known; lives until the next follow, which takes
 * in what @rec tells of tasks: 0 or -ENOMEM. guest: what the event's guest is to be, which parse
 * does not know.
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

/* Are members of nothing but zeroes to be shown where memory was fetched? First: no. */
void fargs_decoder_set_zeros(struct fargs_decoder *d, bool has_zeros);
bool fargs_decoder_has_zeros(const struct fargs_decoder *d);

/* Are tasks to be shown by their numbers in their own pid namespaces? First: no. */
void fargs_decoder_set_ns(struct fargs_decoder *d, bool has_ns);
bool fargs_decoder_has_ns(const struct fargs_decoder *d);

/* fargs_ksyms_find_addr on meta->ksyms, for addresses that come again and again. */
const struct fargs_ksym *fargs_decoder_symbol(struct fargs_decoder *d, uint64_t addr);

/* For events of FARGS_KIND_EVENT; NULL: the file has none. */
struct fargs_formats *fargs_decoder_formats(struct fargs_decoder *d);

/* What arrived so far. Owned by the decoder. */
struct fargs_account *fargs_decoder_account(struct fargs_decoder *d);
const struct fargs_meta *fargs_decoder_meta(const struct fargs_decoder *d);

#endif
