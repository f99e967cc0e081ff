// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/screen/status_line.h"

#define DRAW_MS		100
/* Rates of a shorter time jump more than somebody can read. */
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

void fargs_progress_unread(struct fargs_progress *p, uint64_t bytes)
{
	if (p->unread < bytes)
		p->unread = bytes;
}

/* What cannot be asked now is told at the end. */
static uint64_t count_lost(struct fargs_session *s, struct fargs_perf *perf)
{
	struct fargs_event_stats *events = perf ? fargs_perf_stats(perf) : NULL;
	unsigned int i, nr = s->meta.info.nr_cpus;
	struct fargs_stats stats;
	uint64_t lost = 0;

	for (i = 0; events && i < nr; i++)
		lost += events[i].lost;
	free(events);
	if (s->fd < 0 || fargs_session_stats(s, &stats, NULL))
		return lost;
	for (i = 0; i < nr; i++)
		lost += s->meta.stats[i].lost;
	return lost;
}

static void rate(struct fargs_progress *p, uint64_t now_ms, uint64_t nr_events)
{
	if (p->rated_ms)
		p->rate = (nr_events - p->rated_events) * 1000 / (now_ms - p->rated_ms);
	p->rated_ms = now_ms;
	p->rated_events = nr_events;
}

void fargs_progress_show(struct fargs_progress *p, uint64_t now_ms, struct fargs_session *s,
			 struct fargs_perf *perf, const struct fargs_progress_taken *taken)
{
	char nr[FARGS_PROGRESS_NUMBER], a_second[FARGS_PROGRESS_NUMBER];
	char lost[FARGS_PROGRESS_NUMBER], bytes[64] = "", full[64] = "", line[256];

	if (!p->rated_ms || now_ms - p->rated_ms >= RATE_MS) {
		rate(p, now_ms, taken->nr_events);
		p->nr_lost = count_lost(s, perf);
	}
	if (taken->bytes)
		snprintf(bytes, sizeof(bytes), ", %.1f MB", taken->bytes / 1e6);
	if (s->fd >= 0 && s->meta.ring_bytes)
		snprintf(full, sizeof(full), ", buffers %u%% full",
			 (unsigned int)(p->unread * 100 / s->meta.ring_bytes));
	p->unread = 0;
	snprintf(line, sizeof(line), "fargs: %s events, %s/s, %s lost%s%s (Ctrl-C ends)",
		 fargs_progress_number(taken->nr_events, nr),
		 fargs_progress_number(p->rate, a_second), fargs_progress_number(p->nr_lost, lost),
		 full, bytes);
	fargs_status_line_show(line);
}

void fargs_progress_tell(const char *verb, size_t nr_functions)
{
	char line[128], nr[FARGS_PROGRESS_NUMBER];

	if (!fargs_status_line_can())
		return;
	snprintf(line, sizeof(line), "fargs: %s %s function%s...", verb,
		 fargs_progress_number(nr_functions, nr), nr_functions == 1 ? "" : "s");
	fargs_status_line_show(line);
}
