// SPDX-License-Identifier: GPL-2.0-only
#include "losses.h"

#include <inttypes.h>
#include <stdio.h>

/* Of all CPUs. */
struct sums {
	uint64_t produced;
	uint64_t lost;		/* the ring was full */
	uint64_t missed;	/* nothing was left to wait for the return with */
	uint64_t unreadable;
	uint64_t lost_tasks;
};

static uint64_t lost_on(const struct fargs_cpu_stats *cpu)
{
	return cpu->lost > cpu->missed ? cpu->lost - cpu->missed : 0;
}

static void sum_up(struct sums *sums, const struct fargs_meta *meta)
{
	unsigned int i;

	for (i = 0; meta->stats && i < meta->info.nr_cpus; i++) {
		const struct fargs_cpu_stats *cpu = &meta->stats[i];

		sums->produced += cpu->produced;
		sums->lost += lost_on(cpu);
		sums->missed += cpu->missed;
		sums->unreadable += cpu->unreadable;
		sums->lost_tasks += cpu->lost_tasks;
	}
}

static void tell_lost(const struct sums *sums, const struct fargs_meta *meta)
{
	const char *comma = "";
	unsigned int i;

	fprintf(stderr, "fargs: lost %" PRIu64 " of %" PRIu64 " events (", sums->lost,
		sums->produced);
	for (i = 0; i < meta->info.nr_cpus; i++) {
		if (!lost_on(&meta->stats[i]))
			continue;
		fprintf(stderr, "%sCPU %u: %" PRIu64, comma, i, lost_on(&meta->stats[i]));
		comma = ", ";
	}
	fputs("): trace fewer functions, or take larger buffers with -m\n", stderr);
}

void fargs_losses_tell(const struct fargs_meta *meta, const struct fargs_stats *stats)
{
	struct sums sums = { };

	sum_up(&sums, meta);
	if (sums.lost)
		tell_lost(&sums, meta);
	if (sums.missed)
		fprintf(stderr, "fargs: missed %" PRIu64 " calls: more were waiting to return than "
			"--maxactive allows\n", sums.missed);
	if (stats->nr_missed)
		fprintf(stderr, "fargs: missed %llu calls, since the kernel had no return probe "
			"for them\n", stats->nr_missed);
	if (stats->nr_pending)
		fprintf(stderr, "fargs: %llu calls had not returned at the end\n",
			stats->nr_pending);
	if (sums.unreadable)
		fprintf(stderr, "fargs: left out %" PRIu64 " calls, since a condition asks for "
			"what could not be read\n", sums.unreadable);
	if (sums.lost_tasks)
		fprintf(stderr,
			"fargs: lost %" PRIu64 " changes of tasks: some names are out of date\n",
			sums.lost_tasks);
	if (stats->nr_dropped)
		fprintf(stderr, "fargs: %u functions went with their modules\n",
			stats->nr_dropped);
}
