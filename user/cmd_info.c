// SPDX-License-Identifier: GPL-2.0-only
/* fargs info: what a trace file holds. */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode/account.h"
#include "decode/clock.h"
#include "decode/record.h"
#include "file/reader.h"
#include "out/put.h"
#include "ring/walk.h"

static void print_help(void)
{
	printf("Usage: fargs info FILE\n"
	       "Print what a trace file holds: where it comes from, how much, what was lost.\n"
	       "\n"
	       "  -h, --help      print this\n");
}

static void put_key(const char *key)
{
	printf("%-10s ", key);
}

/* Text out of the file. */
static void put_text(const char *key, const char *value)
{
	if (!value || !*value)
		return;
	put_key(key);
	fargs_put_escaped(stdout, value, strlen(value), NULL);
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
	fargs_put_escaped(stdout, name, strlen(name), NULL);
	putchar('\n');
}

/* Counts all records; the first and the last time on the perf clock. */
static int count(struct fargs_reader *r, const struct fargs_meta *meta, struct fargs_account *acc,
		 uint64_t *first_ns, uint64_t *last_ns, struct fargs_error_text *err)
{
	struct fargs_clockline *clock = fargs_clockline_create(meta, err);
	const struct fargs_account_cpu *seen;
	unsigned int cpu;
	const char *p;
	size_t bytes, at, len;
	uint64_t ns;
	int ret = 0;

	if (!clock)
		return -EIO;
	*first_ns = UINT64_MAX;
	*last_ns = 0;
	for (cpu = 0; cpu < meta->info.nr_cpus; cpu++) {
		while ((ret = fargs_reader_next(r, cpu, (const void **)&p, &bytes, err)) == 1) {
			for (at = 0; at < bytes; at += len) {
				len = fargs_walk_len(p + at, bytes - at);
				if (fargs_record_check(p + at, len, NULL) < 0)
					fargs_account_corrupt(acc, cpu);
				else
					fargs_account_record(acc, cpu, (const void *)(p + at));
			}
		}
		if (ret < 0)
			break;
		seen = fargs_account_get(acc, cpu);
		if (!(seen->kept + seen->others))
			continue;
		ns = fargs_clockline_ns(clock, cpu, seen->first_tsc);
		if (ns < *first_ns)
			*first_ns = ns;
		ns = fargs_clockline_ns(clock, cpu, seen->last_tsc);
		if (ns > *last_ns)
			*last_ns = ns;
	}
	fargs_clockline_destroy(clock);
	return ret < 0 ? ret : 0;
}

static void put_time(const char *key, uint64_t ns)
{
	put_key(key);
	printf("%llu.%09llu s\n", (unsigned long long)(ns / 1000000000),
	       (unsigned long long)(ns % 1000000000));
}

static void put_counts(const struct fargs_meta *meta, const struct fargs_account *acc,
		       uint64_t first_ns, uint64_t last_ns)
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
		printf(", %llu lost, as far as the records tell", (unsigned long long)total.lost);
	putchar('\n');
	if (total.corrupt) {
		put_key("corrupt");
		printf("%llu\n", (unsigned long long)total.corrupt);
	}
	if (total.kept + total.others) {
		put_time("from", first_ns);
		put_time("to", last_ns);
		put_time("span", last_ns > first_ns ? last_ns - first_ns : 0);
	}
}

static int run(const char *path, struct fargs_meta *meta, struct fargs_reader **reader,
	       struct fargs_account **acc)
{
	struct fargs_error_text err = { "" };
	const struct fargs_file_info *about;
	uint64_t first_ns, last_ns;
	struct fargs_account_cpu total;
	struct fargs_reader *r;
	int ret;

	r = *reader = fargs_reader_open(path, meta, &err);
	if (!r)
		return cmd_fail("%s", err.text);
	*acc = fargs_account_create(meta->info.nr_cpus);
	if (!*acc)
		return cmd_fail("out of memory");
	ret = count(r, meta, *acc, &first_ns, &last_ns, &err);
	if (ret)
		return cmd_fail("%s", err.text);

	about = fargs_reader_about(r);
	put_text("file", path);
	put_key("format");
	printf("version %u, %llu bytes", about->version, (unsigned long long)fargs_reader_bytes(r));
	if (about->writer[0]) {
		fputs(", written by fargs ", stdout);
		fargs_put_escaped(stdout, about->writer, strlen(about->writer), NULL);
	}
	putchar('\n');
	put_date(about->date);
	put_text("host", meta->hostname);
	put_text("kernel", meta->info.release);
	put_text("command", meta->command);
	put_key("cpus");
	printf("%u, rings of %llu bytes\n", meta->info.nr_cpus,
	       (unsigned long long)meta->ring_bytes);
	put_key("functions");
	printf("%zu\n", meta->nr_funcs);
	put_key("tasks");
	printf("%zu at the start\n", meta->nr_tasks);
	put_counts(meta, *acc, first_ns, last_ns);
	put_key("clock");
	printf("TSC of %u.%03u MHz, %s, %zu rounds of samples\n", meta->info.tsc_khz / 1000,
	       meta->info.tsc_khz % 1000,
	       meta->info.tsc_stable ? "stable: times agree with perf's to 1 us" :
	       "not stable: times agree with perf's to a tick", meta->nr_clocks);
	ret = fargs_reader_sections(r, put_section, NULL, &err);
	if (ret)
		return cmd_fail("%s", err.text);
	if (fflush(stdout) || ferror(stdout))
		return cmd_fail("cannot write: %s", strerror(errno));
	fargs_account_total(*acc, &total);
	return total.corrupt ? cmd_fail("%s: it has corrupt records", path) : 0;
}

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct fargs_reader *reader = NULL;
	struct fargs_account *acc = NULL;
	struct fargs_meta meta;
	int opt, status;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (opt != 'h')
			return cmd_bad_option("info", opt, argv);
		print_help();
		return 0;
	}
	if (optind == argc)
		return cmd_usage_fail("info", "no trace file is given");
	if (optind + 1 < argc)
		return cmd_usage_fail("info", "one file at a time: '%s' is too much",
				      argv[optind + 1]);

	fargs_meta_init(&meta);
	status = run(argv[optind], &meta, &reader, &acc);
	fargs_account_destroy(acc);
	fargs_reader_destroy(reader);
	fargs_meta_deinit(&meta);
	return status;
}
