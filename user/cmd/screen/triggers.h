/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls of a file that triggered: how many, and the first of them.
 */
#ifndef FARGS_TRIGGERS_H
#define FARGS_TRIGGERS_H

#include <stdint.h>
#include <stdio.h>

#include "model/clock.h"
#include "model/meta.h"
#include "uapi/fargs_record.h"

/* So many are shown one by one. */
#define FARGS_TRIGGERS_SHOWN	16

struct fargs_triggers {
	uint64_t nr;
	struct fargs_trigger {
		uint64_t time_ns;
		uint64_t tsc, ip;
		unsigned int cpu;
	} first[FARGS_TRIGGERS_SHOWN];	/* in the order of time */
};

/* Counts @rec, which was checked, if it triggered. */
void fargs_triggers_record(struct fargs_triggers *t, struct fargs_clockline *clock,
			   unsigned int cpu, const struct fargs_record *rec);
/* A line for each that is shown, @key in front; nothing if there is none. */
void fargs_triggers_put(FILE *to, const struct fargs_triggers *t, const struct fargs_meta *meta,
			const char *key);

#endif
