// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs info: describes the contents of a trace file.
 */
#include "base/plural.h"
#include "cmd/screen/cmd.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/put.h"
#include "cmd/info_pt.h"
#include "cmd/screen/losses.h"
#include "cmd/screen/missed.h"
#include "cmd/screen/triggers.h"
#include "cmd/verbs.h"
#include "file/reader.h"
#include "kernel/sym/ksyms.h"
#include "kernel/sym/module_list.h"
#include "model/account.h"
#include "model/clock.h"
#include "model/formats.h"
#include "model/record.h"
#include "model/walk.h"
#include "source/perf_data/file.h"
#include "uapi/fargs_layout.h"

static void put_key(const char *key)
{
	printf("%-10s ", key);
}

/* Prints text from the file, escaped. */
static void put_text(const char *key, const char *value)
{
	if (!value || !*value)
		return;
	put_key(key);
	fargs_print_escaped(stdout, value);
	putchar('\n');
}

static void put_date(int64_t date)
{
	time_t t = date;
	struct tm tm;
	char buf[64];

	if (!date || !gmtime_r(&t, &tm) ||
	    !strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S UTC", &tm))
		return;
	put_text("date", buf);
}

static void put_section(void *arg, const char *name, uint64_t bytes)
{
	put_key("section");
	printf("%14llu  ", (unsigned long long)bytes);
	fargs_print_escaped(stdout, name);
	putchar('\n');
}

/* Information that only the records contain. */
struct seen {
	uint64_t first_ns, last_ns;	/* times of the first and last record, perf clock */
	struct fargs_triggers triggers;
};

static int count_stream(struct fargs_reader *r, unsigned int stream, unsigned int cpu,
			struct fargs_account *acc, struct fargs_clockline *clock,
			struct seen *all, struct fargs_error_text *err)
{
	size_t bytes, at, len;
	const char *p;
	int ret;

	while ((ret = fargs_reader_next(r, stream, (const void **)&p, &bytes, err)) == 1) {
		for (at = 0; at < bytes; at += len) {
			len = fargs_walk_len(p + at, bytes - at);
			if (fargs_record_check(p + at, len, NULL) < 0) {
				fargs_account_corrupt(acc, cpu, (const void *)(p + at));
				continue;
			}
			fargs_account_record(acc, cpu, (const void *)(p + at));
			fargs_triggers_record(&all->triggers, clock, cpu,
					      (const void *)(p + at));
		}
	}
	return ret;
}

static void take_time(struct seen *all, uint64_t ns)
{
	if (ns < all->first_ns)
		all->first_ns = ns;
	if (ns > all->last_ns)
		all->last_ns = ns;
}

/* Reads and counts all records. */
static int count(struct fargs_reader *r, const struct fargs_meta *meta, struct fargs_account *acc,
		 struct seen *all, struct fargs_error_text *err)
{
	struct fargs_clockline *clock = fargs_clockline_create(meta, err);
	const struct fargs_account_cpu *seen;
	unsigned int cpu, stream, nr_cpus = meta->info.nr_cpus;
	int ret = 0;

	if (!clock)
		return -EIO;
	*all = (struct seen){ .first_ns = UINT64_MAX };
	for (stream = 0; !ret && stream < FARGS_READER_STREAMS(nr_cpus); stream++)
		ret = count_stream(r, stream, stream % nr_cpus, acc, clock, all, err);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		seen = fargs_account_get(acc, cpu);
		if (seen->kept + seen->others) {
			take_time(all, fargs_clockline_ns(clock, cpu, seen->first_tsc));
			take_time(all, fargs_clockline_ns(clock, cpu, seen->last_tsc));
		}
		if (seen->events_bytes) {
			take_time(all, seen->first_ns);
			take_time(all, seen->last_ns);
		}
	}
	fargs_clockline_destroy(clock);
	return ret;
}

/*
 * Prints the rate of the clock, and how precisely the CPUs' times agree with each other and with
 * the times that perf records.
 */
static int put_clock(const struct fargs_meta *meta, struct fargs_error_text *err)
{
	struct fargs_clockline *clock = fargs_clockline_create(meta, err);
	uint64_t error_us;
	bool is_tsc;

	if (!clock)
		return -EIO;
	if (meta->is_bare) {
		fargs_clockline_destroy(clock);
		put_text("clock", "perf clock: recorded without the module");
		return 0;
	}
	is_tsc = fargs_clockline_is_tsc(clock);
	error_us = (fargs_clockline_error_ns(clock) + 999) / 1000;
	fargs_clockline_destroy(clock);
	put_key("clock");
	printf("TSC of %u.%03u MHz, ", meta->info.tsc_khz / 1000, meta->info.tsc_khz % 1000);
	if (is_tsc)
		printf("stable: times agree with perf's to 1 us");
	else
		printf("not stable: times of CPUs agree to %llu us, with perf's to a tick",
		       (unsigned long long)(error_us ? error_us : 1));
	printf(", %zu round%s of samples\n", meta->nr_clocks, fargs_plural(meta->nr_clocks));
	return 0;
}

static void put_time(const char *key, uint64_t ns)
{
	put_key(key);
	printf("%llu.%09llu s\n", (unsigned long long)(ns / 1000000000),
	       (unsigned long long)(ns % 1000000000));
}

/*
 * Where lost_on() and similar functions find the losses of a CPU: in the statistics of @meta or, if
 * the file has no statistics, in @acc, which counts the losses that LOST records report.
 */
struct losses {
	const struct fargs_meta *meta;
	const struct fargs_account *acc;
};

static uint64_t lost_on(const void *arg, unsigned int cpu)
{
	const struct losses *of = arg;

	return of->meta->stats ? of->meta->stats[cpu].lost : fargs_account_get(of->acc, cpu)->lost;
}

static uint64_t missed_on(const void *arg, unsigned int cpu)
{
	const struct losses *of = arg;

	return of->meta->stats ? of->meta->stats[cpu].missed : 0;
}

static uint64_t unreadable_on(const void *arg, unsigned int cpu)
{
	const struct losses *of = arg;

	return of->meta->stats ? of->meta->stats[cpu].unreadable : 0;
}

static void put_by_cpu(const char *key, const struct losses *of, fargs_losses_fn fn)
{
	unsigned int cpu;

	for (cpu = 0; cpu < of->meta->info.nr_cpus && !fn(of, cpu); cpu++)
		;
	if (cpu == of->meta->info.nr_cpus)
		return;
	put_key(key);
	fargs_losses_put_cpus(stdout, of->meta, fn, of);
	putchar('\n');
}

static uint64_t events_lost_on(const void *arg, unsigned int cpu)
{
	const struct losses *of = arg;

	return of->meta->event_stats ? of->meta->event_stats[cpu].lost :
	       fargs_account_get(of->acc, cpu)->events_lost;
}

/* Prints the guests whose symbols are in the file. */
static void put_guests(const struct fargs_meta *meta)
{
	const struct fargs_module_list *modules;
	const struct fargs_guest *guest;
	size_t i;

	for (i = 0; i < meta->guests.nr; i++) {
		guest = &meta->guests.guests[i];
		put_key("guest");
		if (guest->pid)
			printf("process %d%s", (int)guest->pid, guest->name[0] ? ", " : "");
		if (guest->name[0])
			fargs_print_escaped(stdout, guest->name);
		else if (!guest->pid)
			printf("any");
		printf(", %zu function%s", fargs_ksyms_count(guest->syms),
		       fargs_plural(fargs_ksyms_count(guest->syms)));
		modules = fargs_ksyms_modules(guest->syms);
		if (modules)
			printf(", %zu module%s", fargs_module_list_count(modules),
			       fargs_plural(fargs_module_list_count(modules)));
		putchar('\n');
	}
}

/* Prints the recorded events, their number, and the losses. */
static void put_events(const struct fargs_meta *meta, const struct fargs_account *acc)
{
	const struct losses of = { meta, acc };
	struct fargs_account_cpu total;
	uint64_t lost = 0;
	unsigned int cpu;
	char name[256];
	size_t i;

	if (!meta->has_events)
		return;
	fargs_account_total(acc, &total);
	for (cpu = 0; cpu < meta->info.nr_cpus; cpu++)
		lost += events_lost_on(&of, cpu);
	put_key("events");
	printf("%llu (%llu bytes), %llu lost%s\n", (unsigned long long)total.events,
	       (unsigned long long)total.events_bytes, (unsigned long long)lost,
	       meta->event_stats ? "" : ", as far as the records show");
	put_by_cpu("lost", &of, events_lost_on);
	for (i = 0; i < meta->nr_formats; i++)
		if (!fargs_formats_name(meta, i, name, sizeof(name)))
			put_text("event", name);
	put_guests(meta);
}

static void put_losses(const struct fargs_meta *meta, const struct fargs_account *acc)
{
	const struct losses of = { meta, acc };

	put_by_cpu("lost", &of, lost_on);
	put_by_cpu("missed", &of, missed_on);
	fargs_missed_put(stdout, meta, "missed");
	put_by_cpu("unreadable", &of, unreadable_on);
}

static void put_counts(const struct fargs_meta *meta, const struct fargs_account *acc,
		       const struct seen *seen)
{
	uint64_t lost = 0, rejected = 0, produced = 0;
	struct fargs_account_cpu total;
	unsigned int cpu;

	fargs_account_total(acc, &total);
	put_key("records");
	printf("%llu (%llu bytes)\n", (unsigned long long)(total.kept + total.others),
	       (unsigned long long)total.bytes);
	for (cpu = 0; meta->stats && cpu < meta->info.nr_cpus; cpu++) {
		lost += meta->stats[cpu].lost;
		rejected += meta->stats[cpu].rejected;
		produced += meta->stats[cpu].produced;
	}
	put_key("calls");
	printf("%llu", (unsigned long long)total.kept);
	if (meta->stats)
		printf(" of %llu, %llu lost, %llu rejected", (unsigned long long)produced,
		       (unsigned long long)lost, (unsigned long long)rejected);
	else
		printf(", %llu lost, as far as the records show", (unsigned long long)total.lost);
	putchar('\n');
	put_losses(meta, acc);
	if (seen->triggers.nr) {
		put_key("triggers");
		printf("%llu\n", (unsigned long long)seen->triggers.nr);
		fargs_triggers_put(stdout, &seen->triggers, meta, "trigger");
	}
	put_events(meta, acc);
	if (total.corrupt + total.events_corrupt) {
		put_key("corrupt");
		printf("%llu\n", (unsigned long long)(total.corrupt + total.events_corrupt));
	}
	if (total.kept + total.others + total.events_bytes) {
		put_time("from", seen->first_ns);
		put_time("to", seen->last_ns);
		put_time("span", seen->last_ns > seen->first_ns ?
			 seen->last_ns - seen->first_ns : 0);
	}
}

static void put_functions(const struct fargs_meta *meta)
{
	size_t i, nr_tpoints = 0;

	for (i = 0; i < meta->nr_funcs; i++)
		nr_tpoints += !!(meta->funcs[i].layout_flags & FARGS_LAYOUT_TPOINT);
	printf("%zu", meta->nr_funcs - nr_tpoints);
	if (nr_tpoints)
		printf(", and %zu tracepoint%s", nr_tpoints, fargs_plural(nr_tpoints));
	putchar('\n');
}

static int print(const char *path, struct fargs_meta *meta, struct fargs_reader **reader,
		 struct fargs_account **acc)
{
	struct fargs_error_text err = { "" }, cut;
	const struct fargs_file_info *about;
	struct fargs_account_cpu total;
	struct fargs_reader *r;
	struct seen seen;
	bool is_cut;
	size_t i;
	int ret;

	r = *reader = fargs_reader_open(path, meta, &err);
	if (!r)
		return cmd_fail("%s", err.text);
	*acc = fargs_account_create(meta->info.nr_cpus);
	if (!*acc)
		return cmd_fail("out of memory");
	ret = count(r, meta, *acc, &seen, &err);
	if (ret)
		return cmd_fail("%s", err.text);

	about = fargs_reader_about(r);
	put_text("file", path);
	put_key("format");
	printf("version %u, %llu bytes", about->version, (unsigned long long)fargs_reader_bytes(r));
	if (about->writer[0]) {
		fputs(", written by fargs ", stdout);
		fargs_print_escaped(stdout, about->writer);
	}
	putchar('\n');
	if (about->is_recovered)
		put_text("recovered", "from a truncated or damaged file");
	put_date(about->date);
	put_text("host", meta->hostname);
	put_text("machine", meta->origin.machine_id);
	put_text("boot", meta->origin.boot_id);
	for (i = 0; i < meta->origin.nr_labels; i++)
		put_text("label", meta->origin.labels[i]);
	put_text("kernel", meta->info.release);
	put_text("command", meta->command);
	put_key("cpus");
	printf("%u, rings of %llu bytes\n", meta->info.nr_cpus,
	       (unsigned long long)meta->ring_bytes);
	put_key("functions");
	put_functions(meta);
	put_key("tasks");
	printf("%zu at the start\n", meta->nr_tasks);
	if (meta->nr_names) {
		put_key("names");
		printf("%zu change%s of task names, with times\n", meta->nr_names,
		       fargs_plural(meta->nr_names));
	}
	put_counts(meta, *acc, &seen);
	if (fargs_info_put_pt(stdout, path, &err))
		return cmd_fail("%s", err.text);
	if (put_clock(meta, &err))
		return cmd_fail("'%s': %s", path, err.text);
	is_cut = fargs_reader_is_cut(r, &cut);
	ret = is_cut ? 0 : fargs_reader_sections(r, put_section, NULL, &err);
	if (ret)
		return cmd_fail("%s", err.text);
	if (fflush(stdout) || ferror(stdout))
		return cmd_fail("cannot write: %s", strerror(errno));
	if (is_cut)
		return cmd_fail("%s", cut.text);
	fargs_account_total(*acc, &total);
	return total.corrupt + total.events_corrupt ?
	       cmd_fail("'%s' has corrupt records", path) : 0;
}

static int print_perf(const char *path)
{
	struct fargs_error_text err = { "" };

	if (fargs_info_put_perf(stdout, path, &err))
		return cmd_fail("%s", err.text);
	return fflush(stdout) || ferror(stdout) ? cmd_fail("cannot write: %s", strerror(errno)) : 0;
}

static int run(int argc, char **argv)
{
	struct fargs_reader *reader = NULL;
	struct fargs_account *acc = NULL;
	struct fargs_operands operands;
	struct fargs_meta meta;
	enum fargs_parsed parsed;
	const char *path;
	int status;

	parsed = fargs_options_parse(&fargs_verb_info, NULL, argc, argv, &operands);
	if (parsed != FARGS_PARSED)
		return parsed == FARGS_PARSED_WRONG;
	path = fargs_operands_file(&operands, &fargs_verb_info, "no trace file is given");
	if (!path)
		return 1;
	if (fargs_perf_file_is(path))
		return print_perf(path);
	fargs_meta_init(&meta);
	status = print(path, &meta, &reader, &acc);
	fargs_account_destroy(acc);
	fargs_reader_destroy(reader);
	fargs_meta_deinit(&meta);
	return status;
}

static const struct fargs_option options[] = {
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ }
};

const struct fargs_verb fargs_verb_info = {
	.name = "info",
	.what = "show what a file contains",
	.usage = "[OPTION...] FILE",
	.about = "Prints what a trace file contains: its origin, the amount of data, and losses.",
	.groups = groups,
	.run = run,
};
