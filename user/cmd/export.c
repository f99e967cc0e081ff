// SPDX-License-Identifier: GPL-2.0-only
/*
 * fargs export: writes the events of a trace file in the formats of other tools.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <bsd/string.h>

#include "base/near.h"
#include "base/outfile.h"
#include "base/plural.h"
#include "cmd/report/child.h"
#include "cmd/report/open.h"
#include "cmd/screen/pt_gaps.h"
#include "cmd/report/part.h"
#include "cmd/report/pt_notes.h"
#include "cmd/report/recording.h"
#include "cmd/screen/cmd.h"
#include "cmd/verbs.h"
#include "file/zout.h"
#include "pipeline/pipeline.h"
#include "sink/export/export.h"
#include "sink/export/rows/schema.h"
#include "sink/export/rows/table.h"

#define TABLES	"recordings, labels, calls, args, stacks, tasks, lost, missed or all"

struct command {
	const struct fargs_export_format *format;
	const char *output;		/* NULL: stdout */
	void (*schema)(FILE *to, const char *cluster);	/* of --schema; NULL: not given */
	const char *cluster;
	struct fargs_pipeline_options pipeline_options;
	struct fargs_export_options options;
	struct fargs_pt_report_options pt;
	const char *path;
	struct fargs_opened opened;
	struct fargs_pipeline *pipeline;
	struct fargs_export *export;
	struct fargs_outfile file;	/* unused if @file.path is NULL */
	FILE *out;
	struct fargs_zout zout;		/* by which @out is written */
	int write_error;		/* 0, or errno */
};

static const struct fargs_export_format *find_format(const char *name)
{
	const struct fargs_export_format *f;

	for (f = fargs_export_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* Writes the names of all formats to @all: "chrome, csv ... or trace-dat". */
static void name_formats(char *all, size_t size)
{
	const struct fargs_export_format *f;

	*all = '\0';
	for (f = fargs_export_formats; f->name; f++) {
		if (*all)
			strlcat(all, f[1].name ? ", " : " or ", size);
		strlcat(all, f->name, size);
	}
}

static int take_format(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_near near = { .wanted = value };
	const struct fargs_export_format *f;
	struct command *c = to;
	char names[160];

	c->format = find_format(value);
	if (c->format)
		return 0;
	for (f = fargs_export_formats; f->name; f++)
		fargs_near_offer(&near, f->name);
	fargs_near_text(&near, names, sizeof(names));
	if (near.nr)
		return fargs_fail(err, EINVAL, "there is no format '%s': did you mean "
				  "%s?", value, names);
	name_formats(names, sizeof(names));
	return fargs_fail(err, EINVAL, "there is no format '%s': give %s", value, names);
}

static int take_by(void *to, const char *value, struct fargs_error_text *err)
{
	struct command *c = to;

	c->options.is_by_duration = !strcmp(value, "duration");
	if (!c->options.is_by_duration && strcmp(value, "count"))
		return fargs_fail(err, EINVAL, "'%s' is neither count nor duration", value);
	return 0;
}

static int take_schema(void *to, const char *value, struct fargs_error_text *err)
{
	struct command *c = to;

	if (strcmp(value, "clickhouse") && strcmp(value, "duckdb"))
		return fargs_fail(err, EINVAL, "there is no schema '%s': give clickhouse or duckdb",
				  value);
	c->schema = strcmp(value, "duckdb") ? fargs_schema_clickhouse : fargs_schema_duckdb;
	return 0;
}

static int take_cluster(void *to, const char *value, struct fargs_error_text *err)
{
	struct command *c = to;

	c->cluster = value;
	return fargs_schema_is_name(value) ? 0 :
	       fargs_fail(err, EINVAL, "'%s' is not a name of letters, digits and '_'", value);
}

static int take_table(void *to, const char *value, struct fargs_error_text *err)
{
	struct command *c = to;

	c->options.table = strcmp(value, "all") ? fargs_table_find(value) : FARGS_TABLE_ALL;
	if (c->options.table < 0 && strcmp(value, "all")) {
		c->options.table = FARGS_TABLE_UNSET;
		return fargs_fail(err, EINVAL, "there is no table '%s': give " TABLES, value);
	}
	return 0;
}

static int take_redact(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_redact *redact = &((struct command *)to)->options.redact;

	if (!*value || redact->nr == FARGS_REDACT_MAX)
		return fargs_fail(err, EINVAL, *value ? "more than %u names" : "no name is given",
				  FARGS_REDACT_MAX);
	redact->patterns[redact->nr++] = value;
	return 0;
}

static int write_bytes(void *arg, const char *text, size_t bytes)
{
	struct command *c = arg;

	c->write_error = -fargs_zout_write(&c->zout, c->out, text, bytes);
	return -c->write_error;
}

static int fail_write(const struct command *c)
{
	return cmd_fail("cannot write to '%s': %s", c->output ? c->output : "stdout",
			strerror(c->write_error));
}

static int open_output(struct command *c)
{
	struct fargs_error_text err;

	if (c->options.is_compressed && !fargs_export_has_files(c->format, &c->options) &&
	    fargs_zout_init(&c->zout))
		return cmd_fail("out of memory");
	c->out = stdout;
	if (fargs_export_has_files(c->format, &c->options) || !c->output)
		return 0;
	if (fargs_outfile_open(&c->file, c->output, 0, &err))
		return cmd_fail("%s", err.text);
	if (fargs_outfile_stream(&c->file))
		return cmd_fail("out of memory");
	c->out = c->file.file;
	return 0;
}

/* Completes the output file. Call after everything was written. */
static int finish_output(struct command *c)
{
	int ret = fargs_zout_end(&c->zout, c->out);

	if (!ret && c->file.path)
		ret = fargs_outfile_finish(&c->file);
	else if (!ret && fflush(stdout))
		ret = -errno;
	c->write_error = -ret;
	return ret ? fail_write(c) : 0;
}

static int run_report(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };
	struct fargs_account_cpu total;
	int ret = fargs_pipeline_run(c->pipeline, write_bytes, c, &err);

	if (c->write_error)
		return fail_write(c);
	if (c->export->err.text[0])
		return cmd_fail("%s", c->export->err.text);
	if (ret)
		return cmd_fail("%s", err.text[0] ? err.text : strerror(-ret));
	if (finish_output(c))
		return 1;
	fargs_account_total(fargs_decoder_account(c->opened.source->decoder), &total);
	if (total.corrupt + total.events_corrupt)
		return cmd_fail("'%s': skipped %llu corrupt record%s", path,
				(unsigned long long)(total.corrupt + total.events_corrupt),
				fargs_plural(total.corrupt + total.events_corrupt));
	if (c->opened.reader && fargs_reader_is_cut(c->opened.reader, &err))
		return cmd_fail("%s", err.text);
	return fargs_pt_print_errors(&c->opened.errors, &c->pt.itrace);
}

/* Checks that the source has all facts that the format and the options need. */
static int check_facts(const struct command *c, const char *path, struct fargs_error_text *err)
{
	const struct fargs_pipeline_options *o = &c->pipeline_options;
	const struct fargs_event_source *source = c->opened.source;
	char name[64];
	int ret;

	snprintf(name, sizeof(name), "'--format %s'", c->format->name);
	ret = fargs_facts_check(c->format->needs, source->facts, name, path, source->what, err);
	if (!ret && !fargs_time_window_is_all(&o->window))
		ret = fargs_facts_check(FARGS_FACT_TIMES, source->facts, "'--time'", path,
					source->what, err);
	if (!ret && o->cpus.nr)
		ret = fargs_facts_check(FARGS_FACT_CPUS, source->facts, "'--cpu'", path,
					source->what, err);
	return ret;
}

static int export(struct command *c, const char *path)
{
	struct fargs_error_text err = { "" };
	struct fargs_meta *meta;

	/* The output would replace the trace file before it is read. */
	if (c->output && cmd_is_same_file(c->output, path))
		return cmd_fail("'%s' is the trace file itself: give another name", c->output);
	if (c->output && c->pt.with && cmd_is_same_file(c->output, c->pt.with))
		return cmd_fail("'%s' is the file of '--with': give another name", c->output);
	c->pt.default_itrace = c->format->itrace;
	c->pt.has_recorded = c->format->itrace;
	c->opened.errors.window = &c->pipeline_options.window;
	if (fargs_opened_init(&c->opened, path, &c->pt, &err))
		return cmd_fail("%s", err.text);
	cmd_report_pt_gaps(&c->opened.pt);
	cmd_report_pt_gaps(&c->opened.added.in);
	/* If records were joined to an Intel PT trace, the metadata is not in c->opened.meta. */
	meta = c->opened.source->meta;
	if (check_facts(c, path, &err) ||
	    fargs_pipeline_options_resolve(&c->pipeline_options, c->opened.source, path, &err))
		return cmd_usage_fail("export", "%s", err.text);
	if (c->pipeline_options.cpus.nr &&
	    fargs_id_set_last(&c->pipeline_options.cpus) >= meta->info.nr_cpus)
		return cmd_fail("'%s': there is no CPU %u: the number of CPUs is %u", path,
				fargs_id_set_last(&c->pipeline_options.cpus), meta->info.nr_cpus);
	if (c->format->tables != FARGS_EXPORT_NO_TABLES &&
	    fargs_recording_name(&meta->origin, path, &err))
		return cmd_fail("%s", err.text);
	c->options.meta = meta;
	c->options.path = c->output;
	c->export = c->format->create(&c->options, &err);
	if (!c->export)
		return cmd_fail("%s", err.text);
	c->pipeline = fargs_pipeline_create(c->opened.source, &c->export->sink,
					    &c->pipeline_options, &err);
	if (!c->pipeline)
		return cmd_fail("'%s': %s", path, err.text);
	return open_output(c) ? 1 : run_report(c, path);
}

static int run_export(void *arg)
{
	struct command *c = arg;
	int status = export(c, c->path);

	fargs_zout_deinit(&c->zout);
	fargs_outfile_deinit(&c->file);
	fargs_pipeline_destroy(c->pipeline);
	fargs_export_destroy(c->export);
	fargs_opened_deinit(&c->opened);
	return status;
}

static bool writes_tables(const struct command *c)
{
	return c->format->tables != FARGS_EXPORT_NO_TABLES &&
	       (c->format->tables != FARGS_EXPORT_ANY_TABLES ||
		c->options.table != FARGS_TABLE_UNSET);
}

/* Are the options compatible with each other? */
static int check(const struct command *c)
{
	struct fargs_error_text err;

	if (fargs_pt_report_check(&c->pt, &err))
		return cmd_usage_fail("export", "%s", err.text);
	if (c->pt.kcore && !c->pt.has_itrace && !c->pt.has_calls)
		return cmd_usage_fail("export", "'--kcore' supplies the kernel code that decoding "
				      "an Intel PT trace needs: give '--call-trace', "
				      "'--call-ret-trace' or '--itrace='");
	if (fargs_export_has_files(c->format, &c->options) && !c->output)
		return cmd_usage_fail("export", "'--format %s' cannot write to "
				      "standard output: give a name with '-o'", c->format->name);
	if (c->options.table != FARGS_TABLE_UNSET && c->format->tables == FARGS_EXPORT_NO_TABLES)
		return cmd_usage_fail("export", "'--table' is only for '--format' clickhouse, csv, "
				      "jsonl, parquet and tsv");
	if (c->options.table == FARGS_TABLE_UNSET && c->format->tables == FARGS_EXPORT_ONLY_TABLES)
		return cmd_usage_fail("export", "'--format %s' needs '--table': give " TABLES,
				      c->format->name);
	if (c->options.redact.nr && !writes_tables(c))
		return cmd_usage_fail("export", "'--redact' is only for tables: give '--table', or "
				      "'--format' jsonl or parquet");
	if (c->pt.with_guest && writes_tables(c))
		return cmd_usage_fail("export", "'--with-guest' is not for tables, whose rows are "
				      "all of one machine");
	if (c->options.is_compressed && c->format->has_files)
		return cmd_usage_fail("export", "'--compress' is not for '--format %s', whose "
				      "readers need the file as it is", c->format->name);
	if (c->options.is_by_duration && strcmp(c->format->name, "folded"))
		return cmd_usage_fail("export", "'--by' is only for '--format folded'");
	if (c->options.is_by_duration && c->pt.has_calls && !c->pt.has_returns)
		return cmd_usage_fail("export", "'--by duration' needs returns: give "
				      "'--call-ret-trace' instead of '--call-trace'");
	if (!c->output && c->options.is_compressed && isatty(STDOUT_FILENO))
		return cmd_usage_fail("export", "compressed output is not written to a terminal: "
				      "give a file with '-o'");
	if (!c->output && isatty(STDOUT_FILENO) && (!strcmp(c->format->name, "perfetto") ||
						    !strcmp(c->format->name, "clickhouse")))
		return cmd_usage_fail("export", "the %s format is binary, and is not written to a "
				      "terminal: give a file with '-o'", c->format->name);
	return 0;
}

static int print_schema(const struct command *c, const struct fargs_operands *operands)
{
	if (c->cluster && c->schema != fargs_schema_clickhouse)
		return cmd_usage_fail("export", "'--cluster' is only for '--schema clickhouse'");
	if (c->format || operands->nr)
		return cmd_usage_fail("export", "'--schema' has no format and no file");
	c->schema(stdout, c->cluster);
	return fflush(stdout) || ferror(stdout) ?
	       cmd_fail("cannot write: %s", strerror(errno)) : 0;
}

static int run(int argc, char **argv)
{
	struct command c = {
		.pipeline_options = { .nr_threads = 1 },
		.options = { .table = FARGS_TABLE_UNSET },
	};
	struct fargs_operands operands;
	enum fargs_parsed parsed;
	char names[200];
	int status;

	parsed = fargs_options_parse(&fargs_verb_export, &c, argc, argv, &operands);
	name_formats(names, sizeof(names));
	if (parsed == FARGS_PARSED && c.format)
		c.path = fargs_operands_file(&operands, &fargs_verb_export,
					     "no trace file is given");
	if (parsed != FARGS_PARSED)
		status = parsed == FARGS_PARSED_WRONG;
	else if (c.schema || c.cluster)
		status = print_schema(&c, &operands);
	else if (!c.format)
		status = cmd_usage_fail("export", "no format is given: give '--format' %s", names);
	else if (!c.path || check(&c))
		status = 1;
	else if (fargs_opened_needs_child(c.path))
		status = fargs_child_run(run_export, &c, c.path);
	else
		status = run_export(&c);
	fargs_pipeline_options_deinit(&c.pipeline_options);
	fargs_pt_report_options_deinit(&c.pt);
	return status;
}

static const struct fargs_option options[] = {
	{ 0, "format", "FORMAT", "one of the formats above",
	  .offer = FARGS_OFFER_WORDS, .words = "chrome clickhouse csv ctf folded jsonl "
	  "parquet perf-postgresql perf-sqlite perfetto sqlite trace-dat tsv",
	  .take = take_format },
	{ 'o', "output", "OUT", "write to OUT, replacing an existing file (default: stdout; "
	  "required for ctf, parquet, perf-sqlite, sqlite, trace-dat and '--table all')",
	  .offer = FARGS_OFFER_FILES, FARGS_OPTION_KEEPS(struct command, output) },
	{ 0, "table", "TABLE", "with clickhouse, csv, jsonl, parquet or tsv: write this table of "
	  "many machines, or all of them into the directory OUT",
	  .offer = FARGS_OFFER_WORDS,
	  .words = "recordings labels calls args stacks tasks lost missed all",
	  .take = take_table },
	{ 0, "redact", "GLOB", "with tables: write " FARGS_REDACTED " instead of arguments, "
	  "results and fields with this in their name; can be given several times",
	  .flags = FARGS_OPTION_REPEATS, .take = take_redact },
	{ 'z', "compress", NULL, "with formats other than ctf, parquet, perf-sqlite, sqlite and "
	  "trace-dat: compress the output with zstd",
	  FARGS_OPTION_SETS(struct command, options.is_compressed) },
	{ 0, "schema", "DATABASE", "print statements that create these tables in clickhouse, or "
	  "views of Parquet files in duckdb",
	  .offer = FARGS_OFFER_WORDS, .words = "clickhouse duckdb", .take = take_schema },
	{ 0, "cluster", "NAME", "with --schema clickhouse: for each server of this cluster",
	  .take = take_cluster },
	{ 0, "by", "WHAT", "with folded: weigh stacks by count (default) or duration",
	  .offer = FARGS_OFFER_WORDS, .words = "count duration", .take = take_by },
	FARGS_OPTION_END
};

static const struct fargs_option help_option[] = {
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

static const struct fargs_option_group groups[] = {
	{ "Options", .options = options },
	{ "Options", fargs_part_options, .at = offsetof(struct command, pipeline_options) },
	{ "Intel PT", fargs_pt_itrace_option, .at = offsetof(struct command, pt) },
	{ "Intel PT", fargs_pt_what_options, .at = offsetof(struct command, pt) },
	{ "Intel PT", fargs_pt_how_options, .at = offsetof(struct command, pt) },
	{ "Options", .options = help_option },
	{ }
};

static void print_formats(void)
{
	const struct fargs_export_format *f;

	printf("\nFormats:\n");
	for (f = fargs_export_formats; f->name; f++)
		printf("  %-15s %s\n", f->name, f->what);
}

const struct fargs_verb fargs_verb_export = {
	.name = "export",
	.what = "write a file in another tool's format",
	.usage = "--format FORMAT [OPTION...] FILE\n"
		 "--schema clickhouse|duckdb [--cluster NAME]",
	.about = "Writes the events of a trace file in the format of another tool.",
	.notes = print_formats,
	.groups = groups,
	.run = run,
};
