// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dlfilter that drops all samples. At the end, it prints their number and the sum of their
 * addresses.
 */
#include <perf/perf_dlfilter.h>
#include <stdio.h>

static unsigned long long nr, sum;

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	nr++;
	sum += sample->ip + sample->addr;
	return 1;
}

int stop(void *data, void *ctx)
{
	printf("%llu samples, %llx\n", nr, sum);
	return 0;
}
