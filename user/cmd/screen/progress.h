/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a capture goes, in the status line: events, how many a second, what was lost, and how full
 * the buffers are.
 */
#ifndef FARGS_PROGRESS_H
#define FARGS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/session.h"
#include "source/perf_event/perf.h"

/* What who takes the records knows; zero: nothing is said of it. */
struct fargs_progress_taken {
	uint64_t nr_events;
	uint64_t bytes;		/* of the file */
};

/* Zeroes in the beginning. */
struct fargs_progress {
	uint64_t drawn_ms;	/* when it was shown, or would have been */
	uint64_t rated_ms;	/* when there were rated_events, of which rate was told */
	uint64_t rated_events;
	uint64_t rate;
	uint64_t nr_lost;
	uint64_t unread;	/* bytes, in the fullest ring since it was shown */
};

/* Is it time to show it? @now_ms of a clock that only goes forward. */
bool fargs_progress_is_due(struct fargs_progress *p, uint64_t now_ms);
/* A ring had so many @bytes when it was read. */
void fargs_progress_unread(struct fargs_progress *p, uint64_t bytes);
/* Asks @s, which runs, and @perf, which may be NULL, what was lost, and shows the line. */
void fargs_progress_show(struct fargs_progress *p, uint64_t now_ms, struct fargs_session *s,
			 struct fargs_perf *perf, const struct fargs_progress_taken *taken);

/* "VERB 45,321 functions...", while something goes on that takes long if they are many. */
void fargs_progress_tell(const char *verb, size_t nr_functions);

/* 1234567 as "1,234,567", in @buf of FARGS_PROGRESS_NUMBER bytes; returns it. */
#define FARGS_PROGRESS_NUMBER	32
char *fargs_progress_number(uint64_t v, char *buf);

#endif
