/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes records into events. Records must be passed in merged time order, so that tasks get the
 * names they had at that time. Apart from records, a decoder needs only struct fargs_meta, so a
 * live session and its trace file yield the same events.
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
struct fargs_symbolic;

/*
 * Creates a decoder. @meta must outlive it. Functions and BTF are looked up when a record needs
 * them. Rounds of clock samples that are added to @meta later are also used. Returns NULL with @err
 * on failure.
 */
struct fargs_decoder *fargs_decoder_create(struct fargs_meta *meta, struct fargs_error_text *err);
void fargs_decoder_destroy(struct fargs_decoder *d);
/*
 * Replaces the decoder's formats with @formats and takes ownership of them. The struct fargs_meta
 * of the decoder must have events.
 */
void fargs_decoder_set_formats(struct fargs_decoder *d, struct fargs_formats *formats);

/*
 * Decodes one record, whose header must have been checked, as it is in records from rings, mergers
 * and files. Counts the record, tracks task names, and fills in *@ev. Returns 0, -ENOMEM, or -EIO
 * if the record is corrupt. A corrupt record is counted as corrupt; *@ev then holds cpu and the
 * fields of the header, but no arguments. The record must live as long as *@ev is used.
 */
int fargs_decoder_event(struct fargs_decoder *d, unsigned int cpu, const struct fargs_record *rec,
			struct fargs_event *ev);

/*
 * Returns the clock that converts the times of records, with all rounds of the decoder's struct
 * fargs_meta. Owned by the decoder. NULL: no memory.
 */
struct fargs_clockline *fargs_decoder_clock(struct fargs_decoder *d);

/*
 * Makes the event of a formatted event that has no record; d's formats must be set
 * (fargs_decoder_set_formats()). @formatted and @task must be valid as long as @ev is used.
 */
void fargs_decoder_formatted(struct fargs_decoder *d, const struct fargs_formatted *formatted,
			     unsigned int cpu, const struct fargs_task *task,
			     struct fargs_event *ev);

/*
 * The steps of fargs_decoder_event(), for several threads: each thread parses with its own
 * decoder, and one decoder tracks tasks and counts records, in time order.
 *
 * fargs_decoder_parse() fills in the event except for its guest, and counts nothing. @task: the
 * record's task, or NULL. fargs_decoder_task() returns the record's task, valid until the next
 * fargs_decoder_follow(); NULL if it is unknown. fargs_decoder_guest() returns the symbols of the
 * event's guest, or NULL. fargs_decoder_follow() applies a TASK record to the known tasks, and
 * returns 0 or -ENOMEM.
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

/*
 * Returns the number of call and tracepoint records that were parsed and whose function is not in
 * the metadata.
 */
uint64_t fargs_decoder_nr_unknown(const struct fargs_decoder *d);

/*
 * Set or get whether output includes all-zero members of structs fetched from memory. Default: no.
 */
void fargs_decoder_set_zeros(struct fargs_decoder *d, bool has_zeros);
bool fargs_decoder_has_zeros(const struct fargs_decoder *d);

/* Set or get whether tasks are shown by their ids in their own pid namespaces. Default: no. */
void fargs_decoder_set_ns(struct fargs_decoder *d, bool has_ns);
bool fargs_decoder_has_ns(const struct fargs_decoder *d);

/*
 * Like fargs_ksyms_find_addr() on meta->ksyms, with a cache for addresses that occur often. If a
 * module was loaded again during the recording, uses its addresses at the time of the last decoded
 * record. The symbol is valid until the next call.
 */
const struct fargs_ksym *fargs_decoder_symbol(struct fargs_decoder *d, uint64_t addr);

/*
 * Returns the symbol of a pointer's target: a function that contains @addr, or an object at @addr;
 * NULL: there is none. The symbol is valid until the next call of either function.
 */
const struct fargs_ksym *fargs_decoder_target(struct fargs_decoder *d, uint64_t addr);

/*
 * Lets fargs_decoder_symbol() use @find instead of the symbols of the struct fargs_meta. @find
 * returns false if there is no symbol at @addr.
 */
void fargs_decoder_set_symbols(struct fargs_decoder *d,
			       bool (*find)(void *arg, uint64_t addr, struct fargs_ksym *sym),
			       void *arg);

/* Returns the last argument of fargs_decoder_set_symbols(). */
void *fargs_decoder_symbols_arg(const struct fargs_decoder *d);

/*
 * Lets fargs_decoder_place() use @find, with the last argument of fargs_decoder_set_symbols(). Its
 * strings must be valid until the next event.
 */
void fargs_decoder_set_places(struct fargs_decoder *d,
			      void (*find)(void *arg, uint64_t addr,
					   struct fargs_event_place *place));
/*
 * Lets fargs_decoder_insn() use @find, with the same argument. @find returns false if the code at
 * @addr is unknown.
 */
void fargs_decoder_set_code(struct fargs_decoder *d,
			    bool (*find)(void *arg, uint64_t addr, struct fargs_event_insn *insn));
/* What the functions above have set: for a source whose events are made by two others. */
struct fargs_decoder_lookups {
	bool (*find_symbol)(void *arg, uint64_t addr, struct fargs_ksym *sym);
	void (*find_place)(void *arg, uint64_t addr, struct fargs_event_place *place);
	bool (*find_insn)(void *arg, uint64_t addr, struct fargs_event_insn *insn);
	void *arg;
};

struct fargs_decoder_lookups fargs_decoder_lookups(const struct fargs_decoder *d);
void fargs_decoder_set_lookups(struct fargs_decoder *d,
			       const struct fargs_decoder_lookups *lookups);

/* Sets @place to that of @addr, in the task of the last event; at least its address. */
void fargs_decoder_place(struct fargs_decoder *d, uint64_t addr, struct fargs_event_place *place);

/*
 * Sets @insn to the instruction at @addr, in the task and at the time of the last event. Its code
 * is valid until the next call. Returns false if it is unknown, or if the sink does not need it
 * (FARGS_DETAIL_CODE).
 */
bool fargs_decoder_insn(struct fargs_decoder *d, uint64_t addr, struct fargs_event_insn *insn);

/* Returns the formats of events (FARGS_KIND_EVENT); NULL if there are no events. */
struct fargs_formats *fargs_decoder_formats(struct fargs_decoder *d);

/* Returns how the numbers of the traced kernel are shown. Owned by the decoder. */
struct fargs_symbolic *fargs_decoder_symbolic(struct fargs_decoder *d);

/* Returns the counters of the records decoded so far. Owned by the decoder. */
struct fargs_account *fargs_decoder_account(struct fargs_decoder *d);
const struct fargs_meta *fargs_decoder_meta(const struct fargs_decoder *d);

#endif
