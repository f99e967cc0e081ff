/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls in a file that were triggers: their number, and details of the first ones.
 */
#ifndef FARGS_CMD_SCREEN_TRIGGERS_H
#define FARGS_CMD_SCREEN_TRIGGERS_H

#include <stdint.h>
#include <stdio.h>

#include "model/clock.h"
#include "model/meta.h"
#include "uapi/fargs_record.h"

/* Number of triggers that are listed individually. */
#define FARGS_TRIGGERS_SHOWN	16

struct fargs_triggers {
	uint64_t nr;
	struct fargs_trigger {
		uint64_t time_ns;
		uint64_t tsc, ip;
		unsigned int cpu;
	} first[FARGS_TRIGGERS_SHOWN];	/* in time order */
};

/* Counts @rec, which must be valid, if its call was a trigger. */
void fargs_triggers_record(struct fargs_triggers *t, struct fargs_clockline *clock,
			   unsigned int cpu, const struct fargs_record *rec);
/* Prints a line for each of the first triggers, starting with @key; nothing if there are none. */
void fargs_triggers_put(FILE *to, const struct fargs_triggers *t, const struct fargs_meta *meta,
			const char *key);

#endif
