// SPDX-License-Identifier: GPL-2.0-only
/* fargs report: the lines of a trace file. */
#include "cmd/screen/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "model/clock.h"
#include "plugin/dlfilter/record_samples.h"
#include "cmd/options/dlfilter.h"
#include "source/trace_dat/trace_dat.h"
#include "cmd/report/growing.h"
#include "cmd/options/guest.h"
#include "cmd/screen/losses.h"
#include "cmd/screen/missed.h"
#include "cmd/report/perf_data.h"
#include "source/perf_data/file.h"
#include "cmd/report/pt.h"
#include "cmd/report/records.h"
#include "sink/summary/summary_text.h"
#include "cmd/report/report_view.h"
#include "cmd/report/trace_dat.h"
#include "base/outfile.h"
#include "base/pool.h"
#include "base/size.h"

/* Threads that are started without being asked for. */
#define THREADS_MAX	8

struct command {
	struct fargs_report_options options;
	bool is_verify;
	struct fargs_meta meta;
	struct fargs_reader *reader;
	struct fargs_clockline *clock;
	struct fargs_report *report;
	struct fargs_pt_report_options pt;
	struct fargs_guest_options guests;
	struct fargs_view view;
	bool has_itrace;
	bool is_follow;
	struct fargs_growing growing;	/* is_follow */
	struct fargs_dlfilter_options dlfilters;
	struct fargs_dlfilter_records *asker;	/* of a trace file; NULL: none */
	struct fargs_outfile page;	/* path NULL: there is none */
	int write_error;		/* -errno */
};

static void print_help(void)
{
	printf("Usage: fargs report [OPTION]... FILE\n"
	       "Print the events of a trace file, one a line, in the order of their time; or what was\n"
	       "executed, of what fargs record --pt or perf record -e intel_pt// recorded.\n"
	       "\n"
	       "  -C, --cpu CPU   only those of this CPU\n"
	       "      --time FROM,TO  only those of this time, in seconds as they are printed;\n"
	       "                  either may be left out\n"
	       "      --follow    of a file that is written now: go on until the recorder ends it, or\n"
	       "                  Ctrl-C\n"
	       "      --ns        tasks by their numbers in their own pid namespaces\n"
	       "      --filter EXPR  only those for which this condition holds, as in\n"
	       "                  'count > 4k && ret < 0 && $func == \"vfs_*\"'\n"
	       "      --guest NAME|PID=FILE  name functions of this process' guest, in events of\n"
	       "                  kvm, by this copy of its /proc/kallsyms; with\n"
	       "                  ,modules=FILE also its modules\n"
	       "      --guestmount DIR  the same of those with a PID/proc/kallsyms in there\n"
	       "      --guest-kallsyms FILE  the same of all other guests\n"
	       "  -r, --raw       only what the records say: no BTF, no symbols\n"
	       "  -z, --zeros     members that are 0, too, of structs fetched from memory\n"
	       "      --threads N  that decode (default: one for each CPU, 8 at most)\n"
	       "      --verify    print no events: check each record and that none is missing\n"
	       "      --itrace=WHAT  of an Intel PT trace, each a line: b branches, or c calls and\n"
	       "                  r returns alone; i instructions, i1000i each 1000th; e errors\n"
	       "      --call-trace  of an Intel PT trace: every call, indented\n"
	       "      --call-ret-trace  and every return\n"
	       "      --graph-function FUNC  only these calls, and those below them: a glob, or\n"
	       "                  MODULE:GLOB; may be given many times\n"
	       "      --max-graph-depth N  only those that are less than N calls deep\n"
	       "      --show-tracer  and the calls that fargs itself makes\n"
	       "      --dlfilter FILE.so  ask this dlfilter (perf-dlfilter(1)) about each\n"
	       "                  event; several are asked in their order\n"
	       "      --dlarg TEXT  an argument of the dlfilter before it\n"
	       "      --list-dlfilters  print which there are\n"
	       "      --kcore FILE  take the kernel's code from this ELF file\n"
	       "%s"
	       "  -h, --help      print this\n", fargs_view_help);
}

static int write_page(struct command *c, const char *text, size_t bytes)
{
	errno = 0;
	if (fwrite(text, 1, bytes, c->page.file) == bytes)
		return 0;
	return errno ? -errno : -EIO;
}

static int write_text(void *arg, const char *text, size_t bytes)
{
	struct command *c = arg;

	/* Filters print, too. */
	c->write_error = c->page.file ? write_page(c, text, bytes) :
			 c->asker ? cmd_print(text, bytes) : cmd_write(text, bytes);
	return c->write_error;
}

/* Of streams behind those of the CPUs the times are ns (file/reader.h). */
static bool is_in_window(void *arg, unsigned int cpu, uint64_t first_tsc, uint64_t last_tsc)
{
	const struct command *c = arg;

	if (cpu >= c->meta.info.nr_cpus)
		return last_tsc >= c->options.window.from_ns &&
		       first_tsc <= c->options.window.to_ns;
	return fargs_clockline_ns(c->clock, cpu, last_tsc) >= c->options.window.from_ns &&
	       fargs_clockline_ns(c->clock, cpu, first_tsc) <= c->options.window.to_ns;
}

/* What lies outside is not even read. */
static int keep_window(struct command *c, struct fargs_error_text *err)
{
	c->clock = fargs_clockline_create(&c->meta, err);
	if (!c->clock)
		return -EIO;
	fargs_reader_keep(c->reader, is_in_window, c);
	fargs_clockline_destroy(c->clock);
	return 0;
}

/*
 * As the module counted them, without those that were missed; or, if it could not be asked, as
 * LOST records say.
 */
static uint64_t lost_on(const void *arg, unsigned int cpu)
{
	const struct command *c = arg;

	return c->meta.stats ? fargs_losses_lost(&c->meta.stats[cpu]) :
	       fargs_account_get(fargs_report_account(c->report), cpu)->lost;
}

/* Lost and corrupt ones, where there are any: on stderr, behind the events. */
static int summarize(struct command *c, const char *path)
{
	uint64_t lost = 0, nr_lost_tasks = 0, events_lost = 0;
	struct fargs_account_cpu total;
	unsigned int cpu;

	fargs_account_total(fargs_report_account(c->report), &total);
	for (cpu = 0; cpu < c->meta.info.nr_cpus; cpu++) {
		lost += lost_on(c, cpu);
		events_lost += c->meta.event_stats ? c->meta.event_stats[cpu].lost :
			       fargs_account_get(fargs_report_account(c->report), cpu)->events_lost;
		if (!c->meta.stats)
			continue;
		nr_lost_tasks += c->meta.stats[cpu].lost_tasks;
	}
	if (lost) {
		fprintf(stderr, "fargs: lost %llu of %llu calls (", (unsigned long long)lost,
			(unsigned long long)(lost + total.kept));
		fargs_losses_put_cpus(stderr, &c->meta, lost_on, c);
		fprintf(stderr, "): %s\n", c->meta.is_overwrite ? "while the rings were read" :
			"the rings were full; larger ones lose less");
	}
	if (events_lost)
		fprintf(stderr, "fargs: lost %llu of %llu events of -e\n",
			(unsigned long long)events_lost,
			(unsigned long long)(events_lost + total.events));
	/* Of a recorder that goes on nothing is known yet. */
	if (!(c->is_follow && c->growing.is_over))
		fargs_missed_tell(&c->meta);
	/* Names that came with their times do not hang on records. */
	if (nr_lost_tasks && !c->meta.nr_names)
		fprintf(stderr, "fargs: %llu changes of task names were lost: some may be wrong\n",
			(unsigned long long)nr_lost_tasks);
	if (total.corrupt + total.events_corrupt)
		return cmd_fail("%s: corrupt records that were left out: %llu", path,
				(unsigned long long)(total.corrupt + total.events_corrupt));
	return 0;
}

/* The streams of events, against what the kernel counted. */
static int verify_events(struct command *c, const char *path)
{
	const struct fargs_event_stats *stats = c->meta.event_stats;
	const struct fargs_account_cpu *seen;
	unsigned int cpu, nr_bad = 0;

	for (cpu = 0; stats && cpu < c->meta.info.nr_cpus; cpu++) {
		seen = fargs_account_get(fargs_report_account(c->report), cpu);
		if (!seen->events_bytes && !seen->events_corrupt && !stats[cpu].lost)
			continue;
		nr_bad += seen->events_backwards || seen->events_corrupt ||
			  seen->events_lost + stats[cpu].lost_pending != stats[cpu].lost;
		printf("CPU %u: %llu events, %llu lost; %llu told, %llu behind the last; "
		       "%llu out of order, %llu corrupt\n", cpu,
		       (unsigned long long)seen->events,
		       (unsigned long long)stats[cpu].lost,
		       (unsigned long long)seen->events_lost,
		       (unsigned long long)stats[cpu].lost_pending,
		       (unsigned long long)seen->events_backwards,
		       (unsigned long long)seen->events_corrupt);
	}
	fflush(stdout);
	return nr_bad ? cmd_fail("%s: the events of %u CPU%s do not add up", path, nr_bad,
				 nr_bad == 1 ? "" : "s") : 0;
}

/* The streams of calls, against what the module counted. */
static int verify_calls(struct command *c, const char *path)
{
	struct fargs_account *acc = fargs_report_account(c->report);
	const struct fargs_cpu_stats *stats = c->meta.stats;
	const struct fargs_account_cpu *seen;
	struct fargs_account_cpu total;
	unsigned int cpu, nr_bad = 0;
	const char *why;
	bool is_bad;

	if (!stats)
		return 0;
	printf("%3s %12s %12s %10s %10s %8s %8s  %s\n", "CPU", "produced", "kept", "lost",
	       "rejected", "others", "corrupt", "verdict");
	for (cpu = 0; cpu < c->meta.info.nr_cpus; cpu++) {
		seen = fargs_account_get(acc, cpu);
		is_bad = !fargs_account_agrees(seen, &stats[cpu], c->meta.is_overwrite,
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
	printf("%llu records of %llu functions, %llu bytes\n",
	       (unsigned long long)(total.kept + total.others),
	       (unsigned long long)c->meta.nr_funcs, (unsigned long long)total.bytes);
	if (total.switches_end)
		printf("%llu context switches, %llu of them without a record\n",
		       (unsigned long long)total.switches_end,
		       (unsigned long long)(total.switches_end - total.switches));
	fflush(stdout);
	if (fargs_report_nr_unknown(c->report))
		return cmd_fail("%s: %llu records are of functions that were not traced", path,
				(unsigned long long)fargs_report_nr_unknown(c->report));
	if (nr_bad)
		return cmd_fail("%s: the records of %u CPU%s do not add up", path, nr_bad,
				nr_bad == 1 ? "" : "s");
	return 0;
}

static int verify(struct command *c, const char *path)
{
	int events, calls;

	if (!c->meta.stats && !c->meta.event_stats)
		return cmd_fail("%s: it has no counters to compare with", path);
	events = verify_events(c, path);
	calls = verify_calls(c, path);
	return events || calls;
}

static int set_asker(struct command *c)
{
	struct fargs_dlfilters *filters = fargs_dlfilter_options_get(&c->dlfilters);

	if (!filters)
		return 0;
	c->asker = fargs_dlfilter_records_create(filters, &c->meta);
	c->options.asker.arg = c->asker;
	c->options.asker.ask = fargs_dlfilter_records_ask;
	return c->asker ? 0 : -ENOMEM;
}

static int fail_write(const struct command *c)
{
	return c->view.html ? cmd_fail("cannot write %s: %s", c->view.html,
				       strerror(-c->write_error)) :
			      cmd_fail("cannot write: %s", strerror(-c->write_error));
}

static int open_page(struct command *c, const char *path)
{
	struct fargs_error_text err;

	if (cmd_is_same_file(c->view.html, path))
		return cmd_fail("%s is the trace file itself: name another one", c->view.html);
	if (fargs_outfile_open(&c->page, c->view.html, 0, &err))
		return cmd_fail("%s", err.text);
	return fargs_outfile_stream(&c->page) ? cmd_fail("out of memory") : 0;
}

/* The file of --html, in its place. */
static int finish_page(struct command *c)
{
	c->write_error = fargs_outfile_finish(&c->page);
	return c->write_error ? fail_write(c) : 0;
}

/* 0, or the status. */
static int open_file(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };

	if (c->is_follow) {
		c->reader = fargs_growing_open(&c->growing, path, &c->meta, &err);
		c->options.follow = fargs_growing_follow(&c->growing);
		if (!c->reader && !err.text[0])
			return cmd_fail("%s: nothing was recorded yet", path);
	} else {
		c->reader = fargs_reader_open(path, &c->meta, &err);
	}
	return c->reader ? 0 : cmd_fail("%s", err.text);
}

static int run(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };
	int ret, status = 0;

	if (open_file(c, path))
		return 1;
	if (set_asker(c))
		return cmd_fail("out of memory");
	if (c->options.is_one_cpu && c->options.cpu >= c->meta.info.nr_cpus)
		return cmd_fail("%s: there is no CPU %u: the kernel had %u", path, c->options.cpu,
				c->meta.info.nr_cpus);
	/* Filters are asked about what lies outside, too. */
	if (c->options.has_window && !c->asker && !c->is_follow && keep_window(c, &err))
		return cmd_fail("%s: %s", path, err.text);
	if (fargs_guest_options_read(&c->guests, NULL, &c->meta.guests))
		return cmd_fail("no memory for symbols of guests");
	c->view.is_part = c->options.has_window || c->options.is_one_cpu;
	if (fargs_view_begin(&c->view, &c->meta, path, &c->options.view, &err))
		return cmd_fail("%s: %s", path, err.text);
	c->report = fargs_report_create(c->reader, &c->meta, &c->options, &err);
	if (!c->report)
		return cmd_fail("%s: %s", path, err.text);
	if (c->view.html && open_page(c, path))
		return 1;
	ret = fargs_report_run(c->report, write_text, c, &err);
	/* Lines first, then what is to be said of all of them. */
	if (c->asker && fflush(stdout) && !c->write_error)
		c->write_error = -errno;
	if (c->write_error == -EPIPE && c->is_follow)
		return 0;
	if (c->write_error)
		return fail_write(c);
	if (ret && fargs_view_error(&c->view))
		return cmd_fail("%s: %s", path, fargs_view_error(&c->view));
	/* Why a filter has ended it is told when it is stopped. */
	if (ret)
		status = c->asker && ret == -EINVAL && !err.text[0] ? 1 :
			 cmd_fail("%s", err.text[0] ? err.text : strerror(-ret));
	/* It shows what is in the file, also if not all of that is well. */
	if (!status && c->page.file)
		status = finish_page(c);
	if (!status && c->is_verify)
		status = verify(c, path);
	else if (!c->options.has_window && summarize(c, path))
		status = 1;
	if (!status && fargs_view_is_empty(&c->view, &err))
		status = cmd_fail("%s: %s", path, err.text);
	if (!c->is_verify)
		fargs_guest_options_tell(&c->meta.guests);
	/* The recorder goes on. */
	if (!status && !(c->is_follow && c->growing.is_over) &&
	    fargs_reader_is_cut(c->reader, &err))
		status = cmd_fail("%s", err.text);
	return status;
}

/* How many may run at once: as many CPUs as there are for us. */
static unsigned int count_cpus(void)
{
	cpu_set_t cpus;
	int nr = sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);

	return nr > THREADS_MAX ? THREADS_MAX : nr;
}

static int take_threads(struct fargs_report_options *options)
{
	struct fargs_error_text err;
	uint64_t nr;

	if (fargs_size_parse(optarg, &nr, &err) || !nr || nr > FARGS_POOL_MAX)
		return cmd_usage_fail("report", "--threads: '%s' is not a number from 1 to %d",
				      optarg, FARGS_POOL_MAX);
	options->nr_threads = nr;
	return 0;
}

static int take_depth(struct fargs_pt_report_options *pt)
{
	struct fargs_error_text err;
	uint64_t nr;

	if (fargs_size_parse(optarg, &nr, &err) || !nr || nr > UINT32_MAX)
		return cmd_usage_fail("report", "--max-graph-depth: '%s' is not a number of calls",
				      optarg);
	pt->depth_max = nr;
	return 0;
}

/* Those of its options that are about all kinds of files. */
static int report_pt(struct command *c, const char *path)
{
	int status;

	if (c->is_verify || c->options.is_raw || c->options.has_zeros || c->options.has_ns ||
	    c->guests.nr || c->options.filter || fargs_view_is_set(&c->view))
		return cmd_usage_fail("report", "Intel PT: not with --raw, --zeros, --ns, --guest, "
				      "--verify, --filter, --html, --json, --kvm, --fields, or a summary");
	if ((c->pt.has_calls || c->pt.insn_period) && fargs_dlfilter_options_get(&c->dlfilters))
		return cmd_usage_fail("report", "--dlfilter is asked about branches: not with "
				      "calls or --itrace=i, but with --itrace=b");
	c->pt.is_one_cpu = c->options.is_one_cpu;
	c->pt.cpu = c->options.cpu;
	c->pt.window = c->options.window;
	c->pt.nr_threads = c->options.nr_threads;
	c->pt.filters = fargs_dlfilter_options_get(&c->dlfilters);
	if (fargs_dlfilter_options_start(&c->dlfilters))
		return 1;
	status = fargs_pt_report(&c->pt, path);
	return fargs_dlfilter_options_stop(&c->dlfilters, status);
}

/* The samples of a perf.data. */
static int report_perf(struct command *c, const char *path)
{
	const struct fargs_perf_report_options options = {
		.kcore = c->pt.kcore, .is_one_cpu = c->options.is_one_cpu, .cpu = c->options.cpu,
		.window = c->options.window,
		.filters = fargs_dlfilter_options_get(&c->dlfilters),
	};
	int status;

	if (c->is_verify || c->options.is_raw || c->options.has_zeros || c->options.has_ns ||
	    c->guests.nr || c->options.filter || fargs_view_is_set(&c->view))
		return cmd_usage_fail("report", "%s is of perf: not with --raw, --zeros, --ns, "
				      "--guest, --verify, --filter, --html, --json, --fields, or a "
				      "summary",
				      path);
	if (fargs_dlfilter_options_start(&c->dlfilters))
		return 1;
	status = fargs_perf_report(&options, path);
	return fargs_dlfilter_options_stop(&c->dlfilters, status);
}

static void deinit(struct command *c)
{
	fargs_dlfilter_records_destroy(c->asker);
	fargs_outfile_deinit(&c->page);
	fargs_report_destroy(c->report);
	fargs_view_end(&c->view);
	fargs_reader_destroy(c->reader);
	fargs_meta_deinit(&c->meta);
}

static int report_one(struct command *c, const char *path)
{
	struct fargs_error_text err;
	int status;

	if (c->is_follow && fargs_growing_init(&c->growing, &err))
		return cmd_fail("%s", err.text);
	if (fargs_dlfilter_options_start(&c->dlfilters))
		return 1;
	fargs_meta_init(&c->meta);
	status = run(c, path);
	status = fargs_dlfilter_options_stop(&c->dlfilters, status);
	deinit(c);
	if (c->is_follow)
		fargs_growing_deinit(&c->growing);
	return status;
}

/* What two files differ in, each with the same options. */
static int report_diff(const struct command *c, char **paths)
{
	struct command commands[2] = { *c, *c };
	struct fargs_buf text = { };
	int i, ret, status = 0;

	for (i = 0; i < 2; i++)
		fargs_meta_init(&commands[i].meta);
	for (i = 0; i < 2 && !status; i++)
		status = run(&commands[i], paths[i]);
	if (!status) {
		ret = fargs_summary_put_diff(&text, &commands[0].view.summary,
					     &commands[1].view.summary);
		if (!ret && !text.is_short)
			ret = cmd_write(text.text, text.n);
		if (ret || text.is_short)
			status = cmd_fail("cannot write: %s", strerror(ret ? -ret : ENOMEM));
	}
	fargs_buf_deinit(&text);
	for (i = 0; i < 2; i++)
		deinit(&commands[i]);
	return status;
}

static int report_trace_dat(struct command *c, const char *path)
{
	if (c->is_verify || c->options.has_zeros || c->options.has_ns || c->options.filter ||
	    (fargs_view_is_set(&c->view) && !c->view.is_json && !c->view.is_kvm))
		return cmd_usage_fail("report", "%s is of trace-cmd: not with --zeros, --ns, "
				      "--filter, --html, --verify, --fields or a summary", path);
	if (fargs_dlfilter_options_get(&c->dlfilters))
		return cmd_usage_fail("report", "%s is of trace-cmd: not with --dlfilter", path);
	return fargs_trace_dat_report(path, &c->options, &c->view, &c->guests);
}

/* A file of fargs, or two, or one of trace-cmd. */
static int report_file(struct command *c, char **paths)
{
	struct fargs_error_text err;

	if (fargs_view_check(&c->view, c->options.is_raw, &err))
		return cmd_usage_fail("report", "%s", err.text);
	/* Without all events of a vcpu, in their order, nothing is known of its times. */
	if (c->view.is_kvm && (c->options.has_zeros || c->options.is_one_cpu || c->options.filter))
		return cmd_usage_fail("report", "--kvm is about all that vcpus did: not with "
				      "--cpu, --filter or --zeros");
	if (c->is_verify && fargs_view_is_set(&c->view))
		return cmd_usage_fail("report", "--verify prints no events: not with --html, "
				      "--json, --kvm, --fields or a summary");
	if (c->is_follow && (c->view.is_diff || c->view.html))
		return cmd_usage_fail("report", "%s is of whole files: not with --follow",
				      c->view.html ? "--html" : "--diff");
	if (!c->view.is_diff && !c->is_follow && fargs_trace_dat_is(paths[0]))
		return report_trace_dat(c, paths[0]);
	if (!c->view.is_diff)
		return report_one(c, paths[0]);
	if (fargs_dlfilter_options_get(&c->dlfilters))
		return cmd_usage_fail("report", "--diff is of two files: not with --dlfilter");
	return report_diff(c, paths);
}

int cmd_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "call-ret-trace", no_argument, NULL, 'R' },
		{ "call-trace", no_argument, NULL, 'c' },
		{ "cpu", required_argument, NULL, 'C' },
		{ "dlarg", required_argument, NULL, 'a' },
		{ "dlfilter", required_argument, NULL, 'D' },
		{ "filter", required_argument, NULL, 'f' },
		{ "follow", no_argument, NULL, 'w' },
		{ "graph-function", required_argument, NULL, 'F' },
		{ "guest", required_argument, NULL, 'g' },
		{ "guest-kallsyms", required_argument, NULL, 'G' },
		{ "guestmount", required_argument, NULL, 'M' },
		{ "itrace", required_argument, NULL, 'i' },
		{ "kcore", required_argument, NULL, 'k' },
		{ "list-dlfilters", no_argument, NULL, 'l' },
		{ "max-graph-depth", required_argument, NULL, 'd' },
		{ "ns", no_argument, NULL, 'n' },
		{ "raw", no_argument, NULL, 'r' },
		{ "show-tracer", no_argument, NULL, 's' },
		{ "threads", required_argument, NULL, 'j' },
		{ "time", required_argument, NULL, 't' },
		{ "verify", no_argument, NULL, 'v' },
		{ "zeros", no_argument, NULL, 'z' },
		{ "help", no_argument, NULL, 'h' },
		FARGS_VIEW_OPTIONS,
		{ }
	};
	struct command c = { .options = { .window = FARGS_TIME_WINDOW_ALL } };
	struct fargs_error_text err;
	bool is_list = false;
	int opt, status;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":C:rzh", options, NULL)) != -1) {
		switch (opt) {
		case 'C':
			if (cmd_take_cpu("report", optarg, &c.options.cpu))
				return 1;
			c.options.is_one_cpu = true;
			break;
		case 'f':
			c.options.filter = optarg;
			break;
		case 'g':
		case 'G':
		case 'M':
			if (fargs_guest_options_add(&c.guests, opt == 'g' ? FARGS_GUEST_ONE :
						    opt == 'M' ? FARGS_GUEST_MOUNT :
						    FARGS_GUEST_ANY, optarg, &err))
				return cmd_usage_fail("report", "--guest: %s", err.text);
			break;
		case 'i':
			if (fargs_pt_report_set_itrace(&c.pt, optarg, &err))
				return cmd_usage_fail("report", "--itrace: %s", err.text);
			c.has_itrace = true;
			break;
		case 'R':
			c.pt.has_returns = true;
			/* fallthrough */
		case 'c':
			c.pt.has_calls = true;
			break;
		case 's':
			c.pt.has_tracer = true;
			break;
		case 'F':
			if (fargs_pt_report_add_function(&c.pt, optarg))
				return cmd_fail("out of memory");
			break;
		case 'd':
			if (take_depth(&c.pt))
				return 1;
			break;
		case 'D':
			if (fargs_dlfilter_options_add(&c.dlfilters, optarg))
				return 1;
			break;
		case 'a':
			if (fargs_dlfilter_options_add_arg(&c.dlfilters, optarg))
				return 1;
			break;
		case 'l':
			is_list = true;
			break;
		case 'k':
			c.pt.kcore = optarg;
			break;
		case 'j':
			if (take_threads(&c.options))
				return 1;
			break;
		case 't':
			if (fargs_time_window_parse(&c.options.window, optarg, &err))
				return cmd_usage_fail("report", "--time: %s", err.text);
			c.options.has_window = true;
			break;
		case 'n':
			c.options.has_ns = true;
			break;
		case 'w':
			c.is_follow = true;
			break;
		case 'r':
			c.options.is_raw = true;
			break;
		case 'z':
			c.options.has_zeros = true;
			break;
		case 'v':
			c.is_verify = true;
			c.options.is_silent = true;
			break;
		case 'h':
			print_help();
			return 0;
		default:
			if (fargs_view_take(&c.view, opt, optarg))
				break;
			return cmd_bad_option("report", opt, argv);
		}
	}
	if (is_list)
		return fargs_dlfilter_options_list();
	if (optind == argc)
		return cmd_usage_fail("report", "no trace file is given");
	if (c.view.is_diff && optind + 2 != argc)
		return cmd_usage_fail("report", "--diff is of two files, the older one first");
	if (!c.view.is_diff && optind + 2 == argc &&
	    fargs_perf_file_is(argv[optind]) != fargs_perf_file_is(argv[optind + 1]))
		return cmd_usage_fail("report", "records of one file are not shown on calls of "
				      "another one: record both with fargs record --pt");
	if (optind + 1 < argc && !c.view.is_diff)
		return cmd_usage_fail("report", "one file at a time: '%s' is too much",
				      argv[optind + 1]);

	if ((c.options.has_window || c.options.filter) && c.is_verify)
		return cmd_usage_fail("report", "--verify is about all of a file: not with "
				      "--time or --filter");

	if (!c.options.nr_threads)
		c.options.nr_threads = count_cpus();
	if (c.has_itrace && c.pt.has_calls)
		return cmd_usage_fail("report", "either --itrace or calls: not both");
	if (fargs_dlfilter_options_lacks_filter(&c.dlfilters))
		return cmd_usage_fail("report", "--dlarg is for a --dlfilter, and there is none");
	if ((c.pt.nr_graph_functions || c.pt.depth_max) && !c.pt.has_calls)
		return cmd_usage_fail("report", "--graph-function and --max-graph-depth are about "
				      "calls: only with --call-trace or --call-ret-trace");
	if (c.is_verify && fargs_dlfilter_options_get(&c.dlfilters))
		return cmd_usage_fail("report", "--verify shows no events: not with --dlfilter");
	if (c.is_follow && (c.has_itrace || c.pt.has_calls || c.pt.kcore))
		status = cmd_usage_fail("report", "--follow is of events: not with Intel PT");
	else if (c.has_itrace || c.pt.has_calls)
		status = report_pt(&c, argv[optind]);
	else if (!c.is_follow && fargs_perf_file_is(argv[optind]))
		status = report_perf(&c, argv[optind]);
	else if (c.pt.kcore)
		status = cmd_usage_fail("report", "--kcore is the code of an Intel PT trace: only "
					"with --call-trace, or --itrace=");
	else
		status = report_file(&c, argv + optind);
	fargs_pt_report_options_deinit(&c.pt);
	fargs_dlfilter_options_deinit(&c.dlfilters);
	fargs_guest_options_deinit(&c.guests);
	return status;
}
