/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows the progress of a capture in the status line: events, events per second, losses, and the
 * fill level of the buffers.
 */
#ifndef FARGS_CMD_SCREEN_PROGRESS_H
#define FARGS_CMD_SCREEN_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/hooks.h"

/* Must be zeroed before use. */
struct fargs_progress {
	uint64_t drawn_ms;	/* time of the last update of the status line */
	uint64_t rated_ms;	/* time at which @rated_events were counted */
	uint64_t rated_events;
	uint64_t rate;
	uint64_t nr_lost;
};

/* Is an update due? @now_ms: time of a monotonic clock. */
bool fargs_progress_is_due(struct fargs_progress *p, uint64_t now_ms);
/* Shows the progress of a capture; queries the losses from time to time. */
void fargs_progress_show(struct fargs_progress *p, const struct fargs_capture_progress *now);
/* Shows that a flight recorder is waiting for a trigger. */
void fargs_progress_show_flight(unsigned int nr_kept);

/* Shows that the kernel's symbols and types are being read. */
void fargs_progress_tell_reading(void);
/* Shows that recording begins at a time of day. */
void fargs_progress_tell_waiting(void);
/*
 * Shows "VERB 45,321 functions..." during operations that are slow if there are many functions, and
 * that signals do not interrupt.
 */
void fargs_progress_tell(const char *verb, size_t nr_functions);

/*
 * Formats @v with commas, such as "1,234,567", in @buf of FARGS_PROGRESS_NUMBER bytes. Returns
 * @buf.
 */
#define FARGS_PROGRESS_NUMBER	32
char *fargs_progress_number(uint64_t v, char *buf);

#endif
