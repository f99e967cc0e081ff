/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts the records that arrived from each CPU by their sequence numbers, independently of the
 * module's own counters, so that the two can be compared.
 */
#ifndef FARGS_MODEL_ACCOUNT_H
#define FARGS_MODEL_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs.h"
#include "uapi/fargs_record.h"

struct fargs_account;

/* Counters of one CPU. */
struct fargs_account_cpu {
	uint64_t kept;		/* records with a sequence number of their own */
	uint64_t lost;		/* sequence numbers lost according to LOST records */
	uint64_t others;	/* LOST, TASK and SWITCH records */
	uint64_t switches;	/* SWITCH records */
	uint64_t switches_end;	/* one above the highest number in a SWITCH record */
	uint64_t bytes;
	uint64_t seq_end;	/* one above the highest sequence number seen */
	uint64_t corrupt;
	/*
	 * Sequence numbers seen twice, except those too old to check, and SWITCH records whose
	 * number is not above all earlier ones.
	 */
	uint64_t doubled;
	uint64_t backwards;	/* records with an earlier time than the previous record */
	uint64_t first_tsc, last_tsc;	/* 0, 0 if there are no records */
	/*
	 * The following counters are those of the CPU's event stream, which the counters above do
	 * not include.
	 */
	uint64_t events;
	uint64_t events_lost;	/* events lost according to the stream's LOST records */
	uint64_t events_bytes;	/* bytes of all records in the stream */
	uint64_t events_backwards;
	uint64_t events_corrupt;
	uint64_t first_ns, last_ns;	/* 0, 0 if the stream has no records */
};

struct fargs_account *fargs_account_create(unsigned int nr_cpus);
void fargs_account_destroy(struct fargs_account *acc);

/*
 * Counts a record that fargs_record_check() accepted. To be called in the order of @cpu's stream.
 */
void fargs_account_record(struct fargs_account *acc, unsigned int cpu,
			  const struct fargs_record *rec);
/* Counts a record that fargs_record_check() rejected. Only the header of the record is used. */
void fargs_account_corrupt(struct fargs_account *acc, unsigned int cpu,
			   const struct fargs_record *rec);

/* Returns the counters of @cpu, or NULL if there is no such CPU. */
const struct fargs_account_cpu *fargs_account_get(const struct fargs_account *acc,
						  unsigned int cpu);
/*
 * Adds up the counters of all CPUs in *@sum. The times in *@sum are the earliest and the latest of
 * all CPUs.
 */
void fargs_account_total(const struct fargs_account *acc, struct fargs_account_cpu *sum);

/*
 * Is the stream that @seen counts complete? It is complete if no record is corrupt, doubled or
 * backwards, if kept + lost + rejected == produced, if no sequence number exceeds those produced,
 * and if the losses in the stream plus stats->lost_pending equal the module's count stats->lost. If
 * the stream is incomplete, sets *@why (if @why is not NULL) to a string constant that names the
 * mismatch. @is_overwrite: the oldest records were overwritten, so lower counts are accepted, too.
 */
bool fargs_account_agrees(const struct fargs_account_cpu *seen,
			  const struct fargs_cpu_stats *stats, bool is_overwrite,
			  const char **why);

#endif
