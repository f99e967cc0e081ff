/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Merges the record streams of a recording, calls and events of all CPUs, into one. Records are
 * sorted by time (ns of model/clock.h; TSCs may differ between CPUs). If times are equal, calls
 * precede events, and both are sorted by CPU. Records of a CPU stay in ring order: a record that is
 * older than the one before it gets the time of that one.
 *
 * Stream N has the records of CPU N, and stream nr_cpus + N the events of CPU N
 * (model/event_record.h), which have ns in place of a TSC.
 */
#ifndef FARGS_SOURCE_RECORDS_MERGE_H
#define FARGS_SOURCE_RECORDS_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meta.h"
#include "model/stamped.h"

struct fargs_clockline;

/* Whole records of one stream, aligned to 8 bytes; part of a struct of the supplier. */
struct fargs_merge_block {
	const uint8_t *records;
	size_t bytes;			/* not 0 */
	struct fargs_merge_block *next;	/* for lists */
};

/* Adds the list @blocks to the front of @list. */
static inline void fargs_merge_blocks_add(struct fargs_merge_block **list,
					  struct fargs_merge_block *blocks)
{
	struct fargs_merge_block *next;

	for (; blocks; blocks = next) {
		next = blocks->next;
		blocks->next = *list;
		*list = blocks;
	}
}

/* Where the records come from. */
struct fargs_merge_supply {
	void *arg;
	/*
	 * Sets *@block to the next records of @stream. Returns 1; 0 if there are none, or none yet;
	 * or -errno with @err.
	 */
	int (*next)(void *arg, unsigned int stream, struct fargs_merge_block **block,
		    struct fargs_error_text *err);
	/* Takes back a list of blocks whose records are not used any more. */
	void (*give_back)(void *arg, struct fargs_merge_block *blocks);
};

struct fargs_merge;

/*
 * Returns NULL with @err on error. @meta and the argument of @supply, which is copied, must outlive
 * the returned object, which uses the CPUs and clocks of @meta. All records can be returned in
 * order until fargs_merge_settle() says otherwise.
 */
struct fargs_merge *fargs_merge_create(const struct fargs_meta *meta, unsigned int nr_streams,
				       const struct fargs_merge_supply *supply,
				       struct fargs_error_text *err);
/* Returns the remaining blocks to the supplier. */
void fargs_merge_destroy(struct fargs_merge *m);

/* The clock, to which the caller may add samples before fargs_merge_settle(). */
struct fargs_clockline *fargs_merge_clock(struct fargs_merge *m);

/* More records may follow that precede those already supplied. */
#define FARGS_MERGE_WAITS	2

/*
 * Sets *@next to the next record. Returns 1; 0 at the end; FARGS_MERGE_WAITS; or -errno with @err,
 * after the last record before the error.
 */
int fargs_merge_next(struct fargs_merge *m, struct fargs_stamped *next,
		     struct fargs_error_text *err);

/*
 * Call after records were supplied or the clock was changed: from now on, fargs_merge_next()
 * returns the records before @safe_ns, and then FARGS_MERGE_WAITS. UINT64_MAX: all records are
 * there. The caller guarantees that no record with an earlier time will follow. Returns 0, or
 * -errno with @err.
 */
int fargs_merge_settle(struct fargs_merge *m, uint64_t safe_ns, struct fargs_error_text *err);
/* Returns the last @safe_ns; UINT64_MAX if there was none. */
uint64_t fargs_merge_safe(const struct fargs_merge *m);

/*
 * Returns the list of blocks whose last record was returned since the last call of this function.
 * The block of the record returned last may be among them. The records remain valid until the
 * caller passes the blocks to fargs_merge_give_back().
 */
struct fargs_merge_block *fargs_merge_used(struct fargs_merge *m);
void fargs_merge_give_back(struct fargs_merge *m, struct fargs_merge_block *blocks);

#endif
