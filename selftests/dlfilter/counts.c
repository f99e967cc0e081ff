// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dlfilter that prints, for each sample, its CPU, event, addresses and flags, and its numbers of
 * instructions and cycles.
 */
#include <perf/perf_dlfilter.h>
#include <stdio.h>

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	printf("%d %s %llx %llx %x %llu %llu\n", sample->cpu, sample->event,
	       (unsigned long long)sample->ip, (unsigned long long)sample->addr, sample->flags,
	       (unsigned long long)sample->insn_cnt, (unsigned long long)sample->cyc_cnt);
	return 1;
}
