// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/losses.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/plural.h"
#include "cmd/screen/missed.h"
#include "uapi/fargs_layout.h"

/* Sums over all CPUs. */
struct sums {
	uint64_t produced;
	uint64_t lost;		/* number of lost calls, excluding missed calls */
	uint64_t unreadable;
	uint64_t lost_tasks;
};

uint64_t fargs_losses_lost(const struct fargs_cpu_stats *cpu)
{
	return cpu->lost > cpu->missed ? cpu->lost - cpu->missed : 0;
}

static void sum_up(struct sums *sums, const struct fargs_meta *meta)
{
	unsigned int i;

	for (i = 0; meta->stats && i < meta->info.nr_cpus; i++) {
		const struct fargs_cpu_stats *cpu = &meta->stats[i];

		sums->produced += cpu->produced;
		sums->lost += fargs_losses_lost(cpu);
		sums->unreadable += cpu->unreadable;
		sums->lost_tasks += cpu->lost_tasks;
	}
}

static uint64_t lost_by_cpu(const void *stats, unsigned int cpu)
{
	return fargs_losses_lost((const struct fargs_cpu_stats *)stats + cpu);
}

void fargs_losses_put_cpus(FILE *out, const struct fargs_meta *meta, fargs_losses_fn lost,
			   const void *arg)
{
	const char *comma = "";
	unsigned int cpu;

	for (cpu = 0; cpu < meta->info.nr_cpus; cpu++) {
		if (!lost(arg, cpu))
			continue;
		fprintf(out, "%sCPU %u: %" PRIu64, comma, cpu, lost(arg, cpu));
		comma = ", ";
	}
}

static void print_lost(const struct sums *sums, const struct fargs_meta *meta)
{
	fprintf(stderr, "fargs: lost %" PRIu64 " of %" PRIu64 " event%s (", sums->lost,
		sums->produced, fargs_plural(sums->produced));
	fargs_losses_put_cpus(stderr, meta, lost_by_cpu, meta->stats);
	fputs(meta->is_overwrite ? ") while the buffers were frozen\n" :
	      "): trace fewer functions, or give larger buffers with '-m'\n", stderr);
}

static uint64_t events_by_cpu(const void *stats, unsigned int cpu)
{
	return ((const struct fargs_event_stats *)stats)[cpu].lost;
}

void fargs_losses_tell_events(const struct fargs_meta *meta)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; meta->event_stats && i < meta->info.nr_cpus; i++)
		lost += meta->event_stats[i].lost;
	if (!lost)
		return;
	fprintf(stderr, "fargs: lost %" PRIu64 " event%s of '-e' (", lost, fargs_plural(lost));
	fargs_losses_put_cpus(stderr, meta, events_by_cpu, meta->event_stats);
	fputs("): record fewer events, or give larger buffers with '-m'\n", stderr);
}

/*
 * Returns subject and verb of "functions are no longer traced". The module counts dropped
 * functions and tracepoints together: if both were traced, the subject is "functions or
 * tracepoints".
 */
static const char *dropped_are(const struct fargs_meta *meta, bool is_one)
{
	size_t i, nr = 0;

	for (i = 0; i < meta->nr_funcs; i++)
		nr += (meta->funcs[i].layout_flags & FARGS_LAYOUT_TPOINT) != 0;
	if (!nr)
		return is_one ? "function is" : "functions are";
	if (nr == meta->nr_funcs)
		return is_one ? "tracepoint is" : "tracepoints are";
	return is_one ? "function or tracepoint is" : "functions or tracepoints are";
}

void fargs_losses_tell(const struct fargs_meta *meta, const struct fargs_stats *stats)
{
	struct sums sums = { };

	sum_up(&sums, meta);
	if (sums.lost)
		print_lost(&sums, meta);
	fargs_missed_tell(meta);
	if (stats->nr_missed_triggers)
		fprintf(stderr, "fargs: missed %llu call%s that may have triggered: more were "
			"pending than '--maxactive' allows: raise it\n",
			stats->nr_missed_triggers, fargs_plural(stats->nr_missed_triggers));
	if (stats->nr_unmarked)
		fprintf(stderr, "fargs: missed everything called inside %llu call%s of '--under': "
			"more tasks were inside than '--maxactive' allows: raise it\n",
			stats->nr_unmarked, fargs_plural(stats->nr_unmarked));
	if (stats->nr_untold)
		fprintf(stderr, "fargs: skipped everything called inside %llu call%s of '--under', "
			"because its condition uses memory that could not be read\n",
			stats->nr_untold, fargs_plural(stats->nr_untold));
	if (stats->nr_pending)
		fprintf(stderr, "fargs: %llu call%s had not returned at the end\n",
			stats->nr_pending, fargs_plural(stats->nr_pending));
	if (sums.unreadable)
		fprintf(stderr, "fargs: skipped %" PRIu64 " call%s, because a condition uses "
			"memory that could not be read\n", sums.unreadable,
			fargs_plural(sums.unreadable));
	/* In a flight recording, task names do not depend on the TASK records in the rings. */
	if (sums.lost_tasks && !meta->is_overwrite)
		fprintf(stderr,
			"fargs: lost %" PRIu64 " change%s of task names: some names may be wrong\n",
			sums.lost_tasks, fargs_plural(sums.lost_tasks));
	if (stats->nr_lost_switches)
		fprintf(stderr, "fargs: lost %llu of %llu context switch%s: give larger buffers "
			"with '-m'\n", stats->nr_lost_switches, stats->nr_switches,
			stats->nr_switches == 1 ? "" : "es");
	if (stats->nr_dropped)
		fprintf(stderr, "fargs: %u %s no longer traced, because of unloaded modules\n",
			stats->nr_dropped, dropped_are(meta, stats->nr_dropped == 1));
}

void fargs_losses_tell_pt(const struct fargs_pt_outcome *pt)
{
	fprintf(stderr, "fargs: %.1f MB of Intel PT (%s)", pt->aux_bytes / 1e6, pt->terms);
	if (pt->is_sampled)
		fprintf(stderr, " in %" PRIu64 " sample%s", pt->nr_samples,
			fargs_plural(pt->nr_samples));
	fprintf(stderr, ", %.1f MB of code\n", pt->text_bytes / 1e6);
	if (pt->nr_lost_samples)
		fprintf(stderr, "fargs: lost %" PRIu64 " sample%s of Intel PT: sample less often, "
			"or smaller parts\n", pt->nr_lost_samples,
			fargs_plural(pt->nr_lost_samples));
	if (pt->nr_truncated)
		fprintf(stderr, "fargs: lost Intel PT at %" PRIu64 " place%s, because buffers were "
			"full (TRUNCATED): give larger ones with '-m ,SIZE', or record fewer "
			"CPUs\n", pt->nr_truncated, fargs_plural(pt->nr_truncated));
	if (pt->nr_partial)
		fprintf(stderr, "fargs: Intel PT has gaps at %" PRIu64 " place%s, for instance "
			"because KVM ran a guest (PARTIAL)\n", pt->nr_partial,
			fargs_plural(pt->nr_partial));
	if (pt->nr_collisions)
		fprintf(stderr, "fargs: lost Intel PT at %" PRIu64 " place%s by a collision "
			"(COLLISION)\n", pt->nr_collisions, fargs_plural(pt->nr_collisions));
	if (pt->nr_lost)
		fprintf(stderr, "fargs: lost %" PRIu64 " sideband record%s of Intel PT: tasks and "
			"changed code may be shown incorrectly\n", pt->nr_lost,
			fargs_plural(pt->nr_lost));
}
