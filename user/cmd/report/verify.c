// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/verify.h"

#include <stdint.h>
#include <stdio.h>

#include "base/plural.h"
#include "cmd/screen/cmd.h"
#include "cmd/screen/losses.h"
#include "cmd/screen/missed.h"

/*
 * Returns the number of calls lost on @cpu, excluding missed calls: as counted by the module or, if
 * the file does not have the module's counters, as reported by LOST records.
 */
static uint64_t lost_on(const void *arg, unsigned int cpu)
{
	const struct fargs_reported *r = arg;

	return r->meta->stats ? fargs_losses_lost(&r->meta->stats[cpu]) :
	       fargs_account_get(r->account, cpu)->lost;
}

int fargs_reported_summarize(const struct fargs_reported *r)
{
	uint64_t lost = 0, nr_lost_tasks = 0, events_lost = 0;
	struct fargs_account_cpu total;
	unsigned int cpu;

	fargs_account_total(r->account, &total);
	for (cpu = 0; cpu < r->meta->info.nr_cpus; cpu++) {
		lost += lost_on(r, cpu);
		events_lost += r->meta->event_stats ? r->meta->event_stats[cpu].lost :
			       fargs_account_get(r->account, cpu)->events_lost;
		if (!r->meta->stats)
			continue;
		nr_lost_tasks += r->meta->stats[cpu].lost_tasks;
	}
	if (lost) {
		fprintf(stderr, "fargs: lost %llu of %llu call%s (", (unsigned long long)lost,
			(unsigned long long)(lost + total.kept),
			fargs_plural(lost + total.kept));
		fargs_losses_put_cpus(stderr, r->meta, lost_on, r);
		fprintf(stderr, "): %s\n", r->meta->is_overwrite ? "while the rings were being "
		"read" :
			"the rings were full: record with larger buffers ('-m')");
	}
	if (events_lost)
		fprintf(stderr, "fargs: lost %llu of %llu event%s of '-e'\n",
			(unsigned long long)events_lost,
			(unsigned long long)(events_lost + total.events),
			fargs_plural(events_lost + total.events));
	/* While the recorder is running, the number of missed calls is unknown. */
	if (!r->goes_on)
		fargs_missed_tell(r->meta);
	/*
	 * Task names that were recorded with timestamps (nr_names) do not depend on TASK records.
	 */
	if (nr_lost_tasks && !r->meta->nr_names)
		fprintf(stderr, "fargs: lost %llu change%s of task names: some names may be "
			"wrong\n", (unsigned long long)nr_lost_tasks, fargs_plural(nr_lost_tasks));
	if (total.corrupt + total.events_corrupt)
		return cmd_fail("'%s': skipped %llu corrupt record%s", r->path,
				(unsigned long long)(total.corrupt + total.events_corrupt),
				fargs_plural(total.corrupt + total.events_corrupt));
	return 0;
}

/* Compares the numbers of recorded events with the kernel's counters. */
static int verify_events(const struct fargs_reported *r)
{
	const struct fargs_event_stats *stats = r->meta->event_stats;
	const struct fargs_account_cpu *seen;
	unsigned int cpu, nr_bad = 0;

	for (cpu = 0; stats && cpu < r->meta->info.nr_cpus; cpu++) {
		seen = fargs_account_get(r->account, cpu);
		if (!seen->events_bytes && !seen->events_corrupt && !stats[cpu].lost)
			continue;
		nr_bad += seen->events_backwards || seen->events_corrupt ||
			  seen->events_lost + stats[cpu].lost_pending != stats[cpu].lost;
		printf("CPU %u: %llu event%s, %llu lost; %llu reported by records, %llu after the "
		       "last one; %llu out of order, %llu corrupt\n", cpu,
		       (unsigned long long)seen->events, fargs_plural(seen->events),
		       (unsigned long long)stats[cpu].lost,
		       (unsigned long long)seen->events_lost,
		       (unsigned long long)stats[cpu].lost_pending,
		       (unsigned long long)seen->events_backwards,
		       (unsigned long long)seen->events_corrupt);
	}
	fflush(stdout);
	return nr_bad ? cmd_fail("'%s': the events of %u CPU%s do not match the "
				 "counters", r->path, nr_bad,
				 fargs_plural(nr_bad)) : 0;
}

/* Compares the numbers of recorded calls with the module's counters. */
static int verify_calls(const struct fargs_reported *r)
{
	struct fargs_account *acc = r->account;
	const struct fargs_cpu_stats *stats = r->meta->stats;
	const struct fargs_account_cpu *seen;
	struct fargs_account_cpu total;
	unsigned int cpu, nr_bad = 0;
	const char *why;
	bool is_bad;

	if (!stats)
		return 0;
	printf("%3s %12s %12s %10s %10s %8s %8s  %s\n", "CPU", "produced", "kept", "lost",
	       "rejected", "others", "corrupt", "verdict");
	for (cpu = 0; cpu < r->meta->info.nr_cpus; cpu++) {
		seen = fargs_account_get(acc, cpu);
		is_bad = !fargs_account_agrees(seen, &stats[cpu], r->meta->is_overwrite,
					       &why);
		nr_bad += is_bad;
		if (!is_bad && !stats[cpu].produced && !seen->others)
			continue;
		printf("%3u %12llu %12llu %10llu %10llu %8llu %8llu  %s\n", cpu,
		       (unsigned long long)stats[cpu].produced, (unsigned long long)seen->kept,
		       (unsigned long long)stats[cpu].lost,
		       (unsigned long long)stats[cpu].rejected,
		       (unsigned long long)seen->others, (unsigned long long)seen->corrupt,
		       is_bad ? why : "ok");
	}
	fargs_account_total(acc, &total);
	printf("%llu record%s of %llu function%s, %llu bytes\n",
	       (unsigned long long)(total.kept + total.others),
	       fargs_plural(total.kept + total.others),
	       (unsigned long long)r->meta->nr_funcs, fargs_plural(r->meta->nr_funcs),
	       (unsigned long long)total.bytes);
	if (total.switches_end)
		printf("%llu context switch%s, %llu of them without a record\n",
		       (unsigned long long)total.switches_end,
		       total.switches_end == 1 ? "" : "es",
		       (unsigned long long)(total.switches_end - total.switches));
	fflush(stdout);
	if (r->nr_unknown)
		return cmd_fail("'%s': records of functions that were not traced: %llu", r->path,
				(unsigned long long)r->nr_unknown);
	if (nr_bad)
		return cmd_fail("'%s': the records of %u CPU%s do not match the "
				"counters", r->path, nr_bad,
				fargs_plural(nr_bad));
	return 0;
}

int fargs_reported_verify(const struct fargs_reported *r)
{
	int events, calls;

	if (!r->meta->stats && !r->meta->event_stats)
		return cmd_fail("'%s' has no counters to compare with", r->path);
	events = verify_events(r);
	calls = verify_calls(r);
	return events || calls;
}
