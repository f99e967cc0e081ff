/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of a capture as decoded events, in the order of time, while they come: what the verbs
 * do alike that show them at once. Its functions have the shape of struct fargs_sink's.
 */
#ifndef FARGS_LIVE_H
#define FARGS_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/decoder.h"
#include "source/ring/merge.h"
#include "base/error.h"

/* Begin with zeroes. */
struct fargs_live {
	struct fargs_meta *meta;
	struct fargs_decoder *decoder;
	struct fargs_clockline *clock;	/* of the decoder */
	struct fargs_merge *merge;
	/* Takes an event; what it returns ends the capture, unless 0. */
	int (*event)(void *arg, const struct fargs_event *ev);
	void *arg;
};

/* @live->event has been set. */
int fargs_live_begin(struct fargs_live *live, struct fargs_meta *meta,
		     struct fargs_error_text *err);
void fargs_live_deinit(struct fargs_live *live);

int fargs_live_records(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		       struct fargs_error_text *err);
int fargs_live_events(struct fargs_live *live, unsigned int cpu, const void *records, size_t bytes,
		      struct fargs_error_text *err);
int fargs_live_clock(struct fargs_live *live, const struct fargs_clock_sample *samples,
		     struct fargs_error_text *err);
/* Hands on what will stay in front of what is to come. 0, -errno, or what event returned. */
int fargs_live_flush(struct fargs_live *live, uint64_t now_tsc, uint64_t held_ns);

/* What somebody would count: calls, of a graph when they begin, and what happened. */
bool fargs_live_is_counted(const struct fargs_event *ev);

#endif
