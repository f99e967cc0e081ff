// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/progress.h"

#include <stdio.h>

#include "base/plural.h"
#include "cmd/screen/status_line.h"

#define DRAW_MS		100
/*
 * Interval over which the rate of events is measured. Over a shorter interval, the rate would
 * fluctuate too much.
 */
#define RATE_MS		1000

char *fargs_progress_number(uint64_t v, char *buf)
{
	char digits[FARGS_PROGRESS_NUMBER];
	size_t n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)v), i;
	char *to = buf;

	for (i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return buf;
}

bool fargs_progress_is_due(struct fargs_progress *p, uint64_t now_ms)
{
	if (now_ms - p->drawn_ms < DRAW_MS)
		return false;
	p->drawn_ms = now_ms;
	return fargs_status_line_can();
}

static void rate(struct fargs_progress *p, uint64_t now_ms, uint64_t nr_events)
{
	if (p->rated_ms)
		p->rate = (nr_events - p->rated_events) * 1000 / (now_ms - p->rated_ms);
	p->rated_ms = now_ms;
	p->rated_events = nr_events;
}

void fargs_progress_show(struct fargs_progress *p, const struct fargs_capture_progress *now)
{
	char nr[FARGS_PROGRESS_NUMBER], a_second[FARGS_PROGRESS_NUMBER];
	char lost[FARGS_PROGRESS_NUMBER], bytes[64] = "", full[64] = "", line[256];

	if (!p->rated_ms || now->now_ms - p->rated_ms >= RATE_MS) {
		rate(p, now->now_ms, now->taken.nr_events);
		p->nr_lost = fargs_capture_lost(now->capture);
	}
	if (now->taken.bytes)
		snprintf(bytes, sizeof(bytes), ", %.1f MB", now->taken.bytes / 1e6);
	if (now->ring_bytes)
		snprintf(full, sizeof(full), ", buffers %u%% full",
			 (unsigned int)(now->unread * 100 / now->ring_bytes));
	snprintf(line, sizeof(line), "fargs: %s events, %s/s, %s lost%s%s (Ctrl-C to stop)",
		 fargs_progress_number(now->taken.nr_events, nr),
		 fargs_progress_number(p->rate, a_second), fargs_progress_number(p->nr_lost, lost),
		 full, bytes);
	fargs_status_line_show(line);
}

void fargs_progress_show_flight(unsigned int nr_kept)
{
	char line[128];

	snprintf(line, sizeof(line), "fargs: flight recorder: %u trigger%s so far; waiting for the "
		 "next (Ctrl-C to stop)", nr_kept, fargs_plural(nr_kept));
	fargs_status_line_show(line);
}

void fargs_progress_tell_reading(void)
{
	fargs_status_line_show("fargs: reading the kernel's symbols and types... (Ctrl-C to stop)");
}

void fargs_progress_tell_waiting(void)
{
	fargs_status_line_show("fargs: waiting for the time of '--at'... (Ctrl-C to stop)");
}

void fargs_progress_tell(const char *verb, size_t nr_functions)
{
	char line[128], nr[FARGS_PROGRESS_NUMBER];

	if (!fargs_status_line_can())
		return;
	snprintf(line, sizeof(line), "fargs: %s %s function%s... (Ctrl-C takes effect after that)",
		 verb, fargs_progress_number(nr_functions, nr), fargs_plural(nr_functions));
	fargs_status_line_show(line);
}
