// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the frequency of this machine's TSC in kHz, measured over 50 ms. QEMU without --icount
 * gives its guests the TSC of the machine.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct sample {
	uint64_t tsc;
	int64_t ns;
};

/* Takes several samples, and returns the one that was interrupted least. */
static struct sample take_sample(void)
{
	struct sample best = { 0 };
	uint64_t least = UINT64_MAX;
	int i;

	for (i = 0; i < 100; i++) {
		uint64_t before = __rdtsc(), after;
		struct timespec now;

		clock_gettime(CLOCK_MONOTONIC_RAW, &now);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best.tsc = before + least / 2;
		best.ns = now.tv_sec * 1000000000ll + now.tv_nsec;
	}
	return best;
}

int main(void)
{
	struct sample from = take_sample(), to;

	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	to = take_sample();
	printf("%.0f\n", (to.tsc - from.tsc) * 1e6 / (to.ns - from.ns));
	return 0;
}
