// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/mono.h"

#include <time.h>
#include <x86intrin.h>

#define INTERVAL_NS	1000000000u
/* The task may be preempted between the clocks: of so many readings, the narrowest is used. */
#define READINGS	8

static uint64_t mono_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static struct fargs_file_pt_clock read_clocks(void)
{
	struct fargs_file_pt_clock clock = { .tsc = 0 };
	uint64_t before, after, ns, width = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < READINGS; i++) {
		before = __rdtsc();
		ns = mono_ns();
		after = __rdtsc();
		if (after - before >= width)
			continue;
		width = after - before;
		clock.tsc = before + width / 2;
		clock.mono_ns = ns;
	}
	return clock;
}

int fargs_pt_mono_write(struct fargs_pt_mono_writer *w, const struct fargs_pt_sink *sink,
			struct fargs_error_text *err)
{
	struct fargs_file_pt_clock clock = read_clocks();
	struct iovec iov[2] = { { &clock, sizeof(clock) } };

	w->last_ns = clock.mono_ns;
	return sink->chunk(sink->arg, FARGS_CHUNK_PT_CLOCK, FARGS_CHUNK_NO_CPU, iov, false, err);
}

int fargs_pt_mono_update(struct fargs_pt_mono_writer *w, const struct fargs_pt_sink *sink,
			 struct fargs_error_text *err)
{
	return mono_ns() - w->last_ns < INTERVAL_NS ? 0 : fargs_pt_mono_write(w, sink, err);
}
