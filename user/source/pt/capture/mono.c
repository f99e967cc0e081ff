// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/mono.h"

#include <time.h>

#include "abi/clock_pair.h"

#define INTERVAL_NS	1000000000u

static uint64_t mono_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

int fargs_pt_mono_write(struct fargs_pt_mono_writer *w, const struct fargs_pt_sink *sink,
			struct fargs_error_text *err)
{
	struct fargs_file_pt_clock clock;
	struct iovec iov[2] = { { &clock, sizeof(clock) } };
	struct fargs_clock_pair pair;

	w->last_ns = mono_ns();
	if (!fargs_clock_pair_read(CLOCK_MONOTONIC, &pair))
		return 0;
	clock.tsc = pair.tsc + pair.width / 2;
	clock.mono_ns = pair.ns;
	return sink->chunk(sink->arg, FARGS_CHUNK_PT_CLOCK, FARGS_CHUNK_NO_CPU, iov, false, err);
}

int fargs_pt_mono_update(struct fargs_pt_mono_writer *w, const struct fargs_pt_sink *sink,
			 struct fargs_error_text *err)
{
	return mono_ns() - w->last_ns < INTERVAL_NS ? 0 : fargs_pt_mono_write(w, sink, err);
}
