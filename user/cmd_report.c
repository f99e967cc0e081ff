// SPDX-License-Identifier: GPL-2.0-only
/* fargs report: the lines of a trace file. */
#include "cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"
#include "file/reader.h"
#include "file/replay.h"
#include "out/graph.h"
#include "out/text.h"

struct report {
	struct fargs_meta meta;
	struct fargs_reader *reader;
	struct fargs_decoder *decoder;
	struct fargs_graph *graph;	/* NULL: a line for each event */
	bool is_raw;
	bool is_verify;
	bool is_one_cpu;
	unsigned int cpu;		/* the one to show */
	uint64_t nr_unknown;		/* records of functions that were not traced */
	int write_error;		/* -errno of stdout */
};

static void print_help(void)
{
	printf("Usage: fargs report [OPTION]... FILE\n"
	       "Print the events of a trace file, one a line, in the order of their time.\n"
	       "\n"
	       "  -C, --cpu CPU   only those of this CPU\n"
	       "  -r, --raw       only what the records say: no BTF, no symbols\n"
	       "      --verify    print no events: check each record and that none is missing\n"
	       "  -h, --help      print this\n");
}

static int take_record(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	struct report *report = arg;
	struct fargs_event ev;
	int ret;

	ret = fargs_decoder_event(report->decoder, cpu, rec, &ev);
	if (ret == -EIO)
		return 0;	/* counted, and told at the end */
	if (ret)
		return ret;
	if (ev.kind == FARGS_KIND_ENTRY && !ev.func)
		report->nr_unknown++;
	if (report->is_verify || (report->is_one_cpu && cpu != report->cpu))
		return 0;
	if (report->is_raw)
		ret = fargs_text_event_raw(stdout, report->decoder, &ev);
	else if (report->graph)
		ret = fargs_graph_event(report->graph, stdout, &ev);
	else
		ret = fargs_text_event(stdout, report->decoder, &ev);
	report->write_error = ret;
	return ret;
}

/* Lost and corrupt ones, where there are any: on stderr, behind the events. */
static int summarize(struct report *report, const char *path)
{
	const struct fargs_account_cpu *seen;
	struct fargs_account_cpu total;
	uint64_t lost = 0, nr_lost_tasks = 0, of;
	unsigned int cpu, nr = 0;

	fargs_account_total(fargs_decoder_account(report->decoder), &total);
	for (cpu = 0; cpu < report->meta.info.nr_cpus; cpu++) {
		seen = fargs_account_get(fargs_decoder_account(report->decoder), cpu);
		of = report->meta.stats ? report->meta.stats[cpu].lost : seen->lost;
		if (report->meta.stats)
			nr_lost_tasks += report->meta.stats[cpu].lost_tasks;
		lost += of;
		nr += of != 0;
	}
	if (lost)
		fprintf(stderr,
			"fargs: lost %llu of %llu calls on %u CPU%s: the rings were full; larger ones lose less\n",
			(unsigned long long)lost, (unsigned long long)(lost + total.kept), nr,
			nr == 1 ? "" : "s");
	if (nr_lost_tasks)
		fprintf(stderr, "fargs: %llu changes of task names were lost: some may be wrong\n",
			(unsigned long long)nr_lost_tasks);
	if (total.corrupt)
		return cmd_fail("%s: corrupt records that were left out: %llu", path,
				(unsigned long long)total.corrupt);
	return 0;
}

static int verify(struct report *report, const char *path)
{
	struct fargs_account *acc = fargs_decoder_account(report->decoder);
	const struct fargs_cpu_stats *stats = report->meta.stats;
	const struct fargs_account_cpu *seen;
	struct fargs_account_cpu total;
	unsigned int cpu, nr_bad = 0;
	const char *why;
	bool is_bad;

	if (!stats)
		return cmd_fail("%s: it has no counters to compare with", path);
	printf("%3s %12s %12s %10s %10s %8s %8s  %s\n", "CPU", "produced", "kept", "lost",
	       "rejected", "others", "corrupt", "verdict");
	for (cpu = 0; cpu < report->meta.info.nr_cpus; cpu++) {
		seen = fargs_account_get(acc, cpu);
		is_bad = !fargs_account_agrees(seen, &stats[cpu], &why);
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
	       (unsigned long long)report->meta.nr_funcs, (unsigned long long)total.bytes);
	fflush(stdout);
	if (report->nr_unknown)
		return cmd_fail("%s: %llu records are of functions that were not traced", path,
				(unsigned long long)report->nr_unknown);
	if (nr_bad)
		return cmd_fail("%s: the records of %u CPU%s do not add up", path, nr_bad,
				nr_bad == 1 ? "" : "s");
	return 0;
}

static int run(struct report *report, const char *path)
{
	struct fargs_error_text err = { "" };
	int ret, status = 0;

	report->reader = fargs_reader_open(path, &report->meta, &err);
	if (!report->reader)
		return cmd_fail("%s", err.text);
	if (report->is_one_cpu && report->cpu >= report->meta.info.nr_cpus)
		return cmd_fail("%s: there is no CPU %u: the kernel had %u", path, report->cpu,
				report->meta.info.nr_cpus);
	report->decoder = fargs_decoder_create(&report->meta, &err);
	if (!report->decoder)
		return cmd_fail("%s: %s", path, err.text);

	if (fargs_meta_has_graph(&report->meta)) {
		report->graph = fargs_graph_create(report->decoder);
		if (!report->graph)
			return cmd_fail("no memory for a graph");
	}
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	ret = fargs_replay(report->reader, report->meta.info.nr_cpus, take_record, report, &err);
	if (!ret && report->graph) {
		ret = fargs_graph_flush(report->graph, stdout, true);
		report->write_error = ret;
	}
	if (!ret && fflush(stdout)) {
		report->write_error = errno ? -errno : -EIO;
		ret = report->write_error;
	}
	if (report->write_error)
		return cmd_fail("cannot write: %s", strerror(-report->write_error));
	fflush(stdout);
	if (ret)
		status = cmd_fail("%s", err.text[0] ? err.text : strerror(-ret));
	if (!status && report->is_verify)
		status = verify(report, path);
	else if (summarize(report, path))
		status = 1;
	return status;
}

int cmd_report(int argc, char **argv)
{
	static const struct option options[] = {
		{ "cpu", required_argument, NULL, 'C' },
		{ "raw", no_argument, NULL, 'r' },
		{ "verify", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct report report = { 0 };
	unsigned long cpu;
	int opt, status;
	char *end;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":C:rh", options, NULL)) != -1) {
		switch (opt) {
		case 'C':
			errno = 0;
			cpu = strtoul(optarg, &end, 10);
			if (*optarg < '0' || *optarg > '9' || *end || errno || cpu > UINT16_MAX)
				return cmd_usage_fail("report", "'%s' is not the number of a CPU",
						      optarg);
			report.is_one_cpu = true;
			report.cpu = cpu;
			break;
		case 'r':
			report.is_raw = true;
			break;
		case 'v':
			report.is_verify = true;
			break;
		case 'h':
			print_help();
			return 0;
		default:
			return cmd_bad_option("report", opt, argv);
		}
	}
	if (optind == argc)
		return cmd_usage_fail("report", "no trace file is given");
	if (optind + 1 < argc)
		return cmd_usage_fail("report", "one file at a time: '%s' is too much",
				      argv[optind + 1]);

	fargs_meta_init(&report.meta);
	status = run(&report, argv[optind]);
	fargs_graph_destroy(report.graph);
	fargs_decoder_destroy(report.decoder);
	fargs_reader_destroy(report.reader);
	fargs_meta_deinit(&report.meta);
	return status;
}
