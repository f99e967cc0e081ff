/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What packets besides those of the flow report: PTWRITE, power, transactions, control flow events
 * and the interrupt flag, as events in perf's words.
 */
#ifndef FARGS_SOURCE_PT_EVENTS_REPORTED_H
#define FARGS_SOURCE_PT_EVENTS_REPORTED_H

#include <stdbool.h>
#include <stdint.h>

#include "source/pt/decode/flow.h"
#include "source/pt/packet/config.h"

#define FARGS_PT_REPORTED_VALUES	4

/* An EVD packet, which belongs to a CFE. */
struct fargs_pt_evd {
	uint64_t payload;
	uint8_t type;
};

/* A value of an event: @text, or if NULL, @number. */
struct fargs_pt_reported_value {
	const char *name, *text;
	uint64_t number;
};

struct fargs_pt_reported {
	const char *event;	/* perf's name of the event */
	char text[1024];	/* perf's words for the values; may be empty */
	struct fargs_pt_reported_value values[FARGS_PT_REPORTED_VALUES];
	unsigned int nr_values;
};

/*
 * Returns the kind of event (enum fargs_event_kind) of items of @kind; 0: they are not events that
 * packets report. EVDs are not, because they are part of a CFE.
 */
uint8_t fargs_pt_reported_kind(enum fargs_pt_item_kind kind);

/* The names of all values that events of this file can have, ending with NULL. */
extern const char *const fargs_pt_reported_names[];

/* Describes @item. @evds: the @nr EVDs of a CFE. */
void fargs_pt_reported_set(struct fargs_pt_reported *r, const struct fargs_pt_config *config,
			   const struct fargs_pt_item *item, const struct fargs_pt_evd *evds,
			   unsigned int nr);

/*
 * Returns the frequency of a core to bus ratio of 1, in kHz; 0: unknown. Sets *@max to the highest
 * ratio without turbo: then the core runs as fast as the TSC.
 */
uint64_t fargs_pt_reported_khz(const struct fargs_pt_config *config, unsigned int *max);

#endif
