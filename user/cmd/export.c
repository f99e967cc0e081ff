// SPDX-License-Identifier: GPL-2.0-only
/* fargs export: the events of a trace file in the formats of other tools. */
#include "cmd/screen/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "model/clock.h"
#include "sink/export/export.h"
#include "source/perf_data/file.h"
#include "base/near.h"
#include "base/outfile.h"

struct command {
	const struct fargs_export_format *format;
	const char *output;		/* NULL: stdout */
	struct fargs_report_options report_options;
	struct fargs_export_options options;
	struct fargs_meta meta;
	struct fargs_reader *reader;
	struct fargs_report *report;
	struct fargs_export *export;
	struct fargs_outfile file;	/* path NULL: there is none */
	FILE *out;
	int write_error;		/* errno */
};

static void print_help(void)
{
	const struct fargs_export_format *f;

	printf("Usage: fargs export --format FORMAT [OPTION]... FILE\n"
	       "Write the events of a trace file in the format of another tool:\n\n");
	for (f = fargs_export_formats; f->name; f++)
		printf("  %-9s %s\n", f->name, f->what);
	printf("\n"
	       "      --format FORMAT  one of these\n"
	       "  -o, --output OUT  where to, replaced if it is a file; else stdout, but\n"
	       "                    not for ctf and sqlite\n"
	       "      --by WHAT   of folded: count (default) or duration\n"
	       "      --filter EXPR  only events for which this condition holds\n"
	       "  -C, --cpu CPU   only those of this CPU\n"
	       "      --time FROM,TO  only those of this time, in seconds\n"
	       "  -h, --help      print this\n");
}

static const struct fargs_export_format *find_format(const char *name)
{
	const struct fargs_export_format *f;

	for (f = fargs_export_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* @name: NULL if none was given. */
static int fail_format(const char *name)
{
	const struct fargs_export_format *f;
	struct fargs_near near = { .wanted = name };
	char names[64], all[128] = "";

	for (f = fargs_export_formats; f->name; f++) {
		if (*all)
			strlcat(all, f[1].name ? ", " : " or ", sizeof(all));
		strlcat(all, f->name, sizeof(all));
	}
	if (!name)
		return cmd_usage_fail("export", "which format? --format %s", all);
	for (f = fargs_export_formats; f->name; f++)
		fargs_near_offer(&near, f->name);
	fargs_near_text(&near, names, sizeof(names));
	if (near.nr)
		return cmd_usage_fail("export", "--format: there is no '%s': did you mean %s?",
				      name, names);
	return cmd_usage_fail("export", "--format: there is no '%s': write %s", name, all);
}

static int write_bytes(void *arg, const char *text, size_t bytes)
{
	struct command *c = arg;

	errno = 0;
	if (fwrite(text, 1, bytes, c->out) == bytes)
		return 0;
	c->write_error = errno ? errno : EIO;
	return -c->write_error;
}

static int fail_write(const struct command *c)
{
	return cmd_fail("cannot write to %s: %s", c->output ? c->output : "stdout",
			strerror(c->write_error));
}

static int open_output(struct command *c)
{
	struct fargs_error_text err;

	c->out = stdout;
	if (c->format->has_files || !c->output)
		return 0;
	if (fargs_outfile_open(&c->file, c->output, 0, &err))
		return cmd_fail("%s", err.text);
	if (fargs_outfile_stream(&c->file))
		return cmd_fail("out of memory");
	c->out = c->file.file;
	return 0;
}

/* All was written. */
static int finish_output(struct command *c)
{
	int ret = 0;

	if (c->file.path)
		ret = fargs_outfile_finish(&c->file);
	else if (fflush(stdout))
		ret = -errno;
	c->write_error = -ret;
	return ret ? fail_write(c) : 0;
}

static int run_report(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };
	struct fargs_account_cpu total;
	int ret = fargs_report_run(c->report, write_bytes, c, &err);

	if (c->write_error)
		return fail_write(c);
	if (c->export->err.text[0])
		return cmd_fail("%s", c->export->err.text);
	if (ret)
		return cmd_fail("%s", err.text[0] ? err.text : strerror(-ret));
	if (finish_output(c))
		return 1;
	fargs_account_total(fargs_report_account(c->report), &total);
	if (total.corrupt + total.events_corrupt)
		return cmd_fail("%s: corrupt records that were left out: %llu", path,
				(unsigned long long)(total.corrupt + total.events_corrupt));
	if (fargs_reader_is_cut(c->reader, &err))
		return cmd_fail("%s", err.text);
	return 0;
}

static int run(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };

	/* It would be replaced before it is read. */
	if (c->output && cmd_is_same_file(c->output, path))
		return cmd_fail("%s is the trace file itself: name another one", c->output);
	c->reader = fargs_reader_open(path, &c->meta, &err);
	if (!c->reader)
		return cmd_fail("%s", err.text);
	if (c->report_options.is_one_cpu && c->report_options.cpu >= c->meta.info.nr_cpus)
		return cmd_fail("%s: there is no CPU %u: the kernel had %u", path,
				c->report_options.cpu, c->meta.info.nr_cpus);
	c->options.meta = &c->meta;
	c->options.path = c->output;
	c->export = c->format->create(&c->options, &err);
	if (!c->export)
		return cmd_fail("%s", err.text);
	c->report_options.view = &c->export->view;
	c->report = fargs_report_create(c->reader, &c->meta, &c->report_options, &err);
	if (!c->report)
		return cmd_fail("%s: %s", path, err.text);
	return open_output(c) ? 1 : run_report(c, path);
}

static void deinit(struct command *c)
{
	fargs_outfile_deinit(&c->file);
	fargs_report_destroy(c->report);
	fargs_export_destroy(c->export);
	fargs_reader_destroy(c->reader);
	fargs_meta_deinit(&c->meta);
}

int cmd_export(int argc, char **argv)
{
	static const struct option options[] = {
		{ "by", required_argument, NULL, 'b' },
		{ "cpu", required_argument, NULL, 'C' },
		{ "filter", required_argument, NULL, 'f' },
		{ "format", required_argument, NULL, 'F' },
		{ "output", required_argument, NULL, 'o' },
		{ "time", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct command c = {
		.report_options = { .window = FARGS_TIME_WINDOW_ALL, .nr_threads = 1 },
	};
	struct fargs_error_text err;
	int opt, status;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, ":C:o:h", options, NULL)) != -1) {
		switch (opt) {
		case 'b':
			c.options.is_by_duration = !strcmp(optarg, "duration");
			if (!c.options.is_by_duration && strcmp(optarg, "count"))
				return cmd_usage_fail("export", "--by: count or duration, not "
						      "'%s'", optarg);
			break;
		case 'C':
			if (cmd_take_cpu("export", optarg, &c.report_options.cpu))
				return 1;
			c.report_options.is_one_cpu = true;
			break;
		case 'f':
			c.report_options.filter = optarg;
			break;
		case 'F':
			c.format = find_format(optarg);
			if (!c.format)
				return fail_format(optarg);
			break;
		case 'o':
			c.output = optarg;
			break;
		case 't':
			if (fargs_time_window_parse(&c.report_options.window, optarg, &err))
				return cmd_usage_fail("export", "--time: %s", err.text);
			c.report_options.has_window = true;
			break;
		case 'h':
			print_help();
			return 0;
		default:
			return cmd_bad_option("export", opt, argv);
		}
	}
	if (!c.format)
		return fail_format(NULL);
	if (optind == argc)
		return cmd_usage_fail("export", "no trace file is given");
	if (optind + 1 < argc)
		return cmd_usage_fail("export", "one file at a time: '%s' is too much",
				      argv[optind + 1]);
	if (c.format->has_files && !c.output)
		return cmd_usage_fail("export", "%s makes files: -o says where", c.format->name);
	if (c.options.is_by_duration && strcmp(c.format->name, "folded"))
		return cmd_usage_fail("export", "--by is of --format folded");
	if (fargs_perf_file_is(argv[optind]))
		return cmd_usage_fail("export", "%s is of perf", argv[optind]);
	if (!c.output && !c.format->has_files && isatty(STDOUT_FILENO) &&
	    !strcmp(c.format->name, "perfetto"))
		return cmd_usage_fail("export", "perfetto's bytes are not for a terminal: "
				      "give a file with -o");
	fargs_meta_init(&c.meta);
	status = run(&c, argv[optind]);
	deinit(&c);
	return status;
}
