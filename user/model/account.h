/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts what arrived on each CPU, by sequence number, independently of what
 * the module says it produced and lost: so the two can be compared.
 */
#ifndef FARGS_DECODE_ACCOUNT_H
#define FARGS_DECODE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/fargs.h"
#include "uapi/fargs_record.h"

struct fargs_account;

/* What was seen of one CPU. */
struct fargs_account_cpu {
	uint64_t kept;		/* records that carry a sequence number of their own */
	uint64_t lost;		/* as LOST records tell */
	uint64_t others;	/* LOST, TASK and SWITCH records */
	uint64_t switches;	/* SWITCH records */
	uint64_t switches_end;	/* one above the highest number of a SWITCH */
	uint64_t bytes;
	uint64_t seq_end;	/* one above the highest number seen */
	uint64_t corrupt;	/* records that made no sense */
	uint64_t doubled;	/* numbers seen twice, or long after their time */
	uint64_t backwards;	/* records older than the one before them */
	uint64_t first_tsc, last_tsc;	/* 0, 0 if there was none */
	/* Of the stream of events, which nothing above counts: */
	uint64_t events;
	uint64_t events_lost;	/* as its LOST records tell */
	uint64_t events_bytes;	/* of all its records */
	uint64_t events_backwards;
	uint64_t events_corrupt;
	uint64_t first_ns, last_ns;	/* 0, 0 if there was none */
};

struct fargs_account *fargs_account_create(unsigned int nr_cpus);
void fargs_account_destroy(struct fargs_account *acc);

/* Counts a record that fargs_record_check accepted, in the order of its CPU's stream. */
void fargs_account_record(struct fargs_account *acc, unsigned int cpu,
			  const struct fargs_record *rec);
/* One that it did not accept, of which only the header makes sense. */
void fargs_account_corrupt(struct fargs_account *acc, unsigned int cpu,
			   const struct fargs_record *rec);

/* NULL if there is no such CPU. */
const struct fargs_account_cpu *fargs_account_get(const struct fargs_account *acc,
						  unsigned int cpu);
/* Sums over all CPUs; the times are first and last of all. */
void fargs_account_total(const struct fargs_account *acc, struct fargs_account_cpu *sum);

/*
 * True if @cpu's stream is whole: nothing corrupt, doubled or backwards, and
 * kept + lost + rejected == produced, with the losses told in the stream plus
 * the pending ones being all that the module counted. Else *@why (if @why)
 * says in a few constant words what does not hold. @is_overwrite: the oldest records
 * were overwritten, so that there are fewer.
 */
bool fargs_account_agrees(const struct fargs_account_cpu *seen,
			  const struct fargs_cpu_stats *stats, bool is_overwrite,
			  const char **why);

#endif
