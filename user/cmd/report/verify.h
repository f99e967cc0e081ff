/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports on a recording as a whole, after its records were read: losses, and whether the numbers
 * of records agree with the counters of the module and the kernel.
 */
#ifndef FARGS_CMD_REPORT_VERIFY_H
#define FARGS_CMD_REPORT_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/account.h"
#include "model/meta.h"

/* The results of a report that has ended. */
struct fargs_reported {
	const char *path;
	const struct fargs_meta *meta;
	struct fargs_account *account;	/* counters of the records that were read */
	uint64_t nr_unknown;		/* records of functions that are not in @meta */
	bool goes_on;	/* the recording was still running: missed calls are unknown */
};

/*
 * Prints lost and corrupt records, if any, on stderr. Returns the exit status: 1 if any are
 * corrupt.
 */
int fargs_reported_summarize(const struct fargs_reported *r);
/*
 * --verify: prints the counters of each CPU on stdout. Returns the exit status: 1 if they disagree.
 */
int fargs_reported_verify(const struct fargs_reported *r);

#endif
