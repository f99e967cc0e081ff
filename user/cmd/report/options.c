// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/options.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/row.h"
#include "base/size.h"
#include "cmd/report/part.h"
#include "cmd/screen/cmd.h"
#include "source/perf_data/file.h"
#include "source/trace_dat/tracecmd.h"

/* Maximum number of threads that is used by default. */
#define THREADS_MAX	8

#define REPORT_SETS(field)	FARGS_OPTION_SETS(struct fargs_report_request, field)

static int take_colour(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_report_request *r = to;

	return fargs_colour_parse(&r->colour, value, err);
}

/* As in perf, shows each instruction, with its code or its text. */
static int take_insn_trace(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_report_request *r = to;
	bool is_text = value && !strcmp(value, "disasm");
	int ret;

	if (value && !is_text && strcmp(value, "raw"))
		return fargs_fail(err, EINVAL, "'%s' is neither raw nor disasm", value);
	ret = fargs_view_add_perf_fields(&r->view, is_text ? "+disasm,-event,-period" :
							     "+insn,-event,-period", err);
	if (ret)
		return ret;
	r->view.perf_fields.has_ns = true;
	r->pt.has_itrace = true;
	return fargs_pt_report_set_itrace(&r->pt, "i0nse", err);
}

static int take_xed(void *to, const char *value, struct fargs_error_text *err)
{
	return take_insn_trace(to, fargs_row(C8) ? "disasm" : "raw", err);
}

static const struct fargs_option line_options[] = {
	{ 'g', "graph", NULL, "show nested calls, as recorded by fargs record -g (the default for "
	  "such a file, unless another option excludes it)", REPORT_SETS(is_graph) },
	{ 0, "color", "WHEN", FARGS_COLOUR_HELP, FARGS_OPTION_OPTIONAL,
	  .offer = FARGS_OFFER_WORDS, .words = FARGS_COLOUR_WORDS, .take = take_colour },
	{ 0, "insn-trace", "AS", "show each instruction of an Intel PT trace: its bytes (raw, the "
	  "default), or its text (disasm)", FARGS_OPTION_OPTIONAL,
	  .offer = FARGS_OFFER_WORDS, .words = "raw disasm", .take = take_insn_trace },
	{ 0, "ns", NULL, "show tasks by their ids in their own pid namespaces; with -F, times with "
	  "9 digits",
	  REPORT_SETS(options.has_ns) },
	{ 'r', "raw", NULL, "show only what is in the records: no BTF, no symbols",
	  REPORT_SETS(view.is_raw) },
	{ 0, "xed", NULL, "the same as '--insn-trace=disasm'", .take = take_xed },
	{ 'z', "zeros", NULL, "also show members that are 0, of structs fetched from memory",
	  REPORT_SETS(options.has_zeros) },
	FARGS_OPTION_END
};

static int take_threads(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_report_request *r = to;
	uint64_t nr;

	if (fargs_size_parse(value, &nr, err) || !nr || nr > FARGS_POOL_MAX)
		return fargs_fail(err, EINVAL, "'%s' is not a number from 1 to %d", value,
				  FARGS_POOL_MAX);
	r->options.nr_threads = nr;
	return 0;
}

static int take_verify(void *to, const char *value, struct fargs_error_text *err)
{
	struct fargs_report_request *r = to;

	r->is_verify = true;
	r->options.is_silent = true;
	return 0;
}

static const struct fargs_option run_options[] = {
	{ 0, "follow", NULL, "show a file while it is being recorded, until the recorder ends it "
	  "or Ctrl-C", REPORT_SETS(is_follow) },
	{ 0, "threads", "N", "number of decoding threads (default: one for each CPU, at most 8)",
	  .take = take_threads },
	{ 0, "verify", NULL, "print no events, but check each record and that none is missing",
	  .take = take_verify },
	{ 'h', "help", NULL, "print this help", .kind = FARGS_OPTION_HELP },
	FARGS_OPTION_END
};

const struct fargs_option_group fargs_report_groups[] = {
	{ "Which events", fargs_part_options,
	  .at = offsetof(struct fargs_report_request, options) },
	{ "Lines", .options = line_options },
	{ "Other output formats", fargs_view_options,
	  .at = offsetof(struct fargs_report_request, view) },
	{ "KVM guests", fargs_guest_option_table,
	  .at = offsetof(struct fargs_report_request, guests) },
	{ "Intel PT", fargs_pt_itrace_option,
	  .at = offsetof(struct fargs_report_request, pt) },
	{ "Intel PT", fargs_pt_what_options,
	  .at = offsetof(struct fargs_report_request, pt) },
	{ "Intel PT", fargs_pt_how_options,
	  .at = offsetof(struct fargs_report_request, pt) },
	{ "perf dlfilters", fargs_dlfilter_option_table,
	  .at = offsetof(struct fargs_report_request, dlfilters) },
	{ "How it runs", .options = run_options },
	{ }
};

/* The default number of threads: the CPUs available to this process, up to THREADS_MAX. */
static unsigned int count_cpus(void)
{
	cpu_set_t cpus;
	int nr = sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);

	return nr > THREADS_MAX ? THREADS_MAX : nr;
}

static int check_files(const struct fargs_report_request *r, const struct fargs_operands *files)
{
	if (!files->nr)
		return cmd_usage_fail("report", "no trace file is given");
	if (r->view.is_diff && files->nr != 2)
		return cmd_usage_fail("report", "'--diff' needs two files, the older one first");
	if (r->view.is_diff || files->nr == 1)
		return 0;
	if (files->nr == 2 &&
	    fargs_perf_file_is(files->words[0]) != fargs_perf_file_is(files->words[1]))
		return cmd_usage_fail("report", "to show the records of a fargs file on the calls "
				      "of a perf.data file, give the fargs file with '--with'");
	return cmd_usage_fail("report", "only one file can be given: unexpected argument "
			      "'%s'", files->words[1]);
}

/* Checks the options that do not depend on the kind of file. */
static int check(const struct fargs_report_request *r)
{
	struct fargs_error_text err;

	if ((!fargs_time_window_is_all(&r->options.window) || r->options.filter) && r->is_verify)
		return cmd_usage_fail("report", "'--verify' checks a whole file: it cannot be used "
				      "with '--time' or '--filter'");
	if (fargs_pt_report_check(&r->pt, &err))
		return cmd_usage_fail("report", "%s", err.text);
	if (fargs_dlfilter_options_lacks_filter(&r->dlfilters))
		return cmd_usage_fail("report", "'--dlarg' needs a '--dlfilter' before it");
	if (r->is_verify && fargs_dlfilter_options_get(&r->dlfilters))
		return cmd_usage_fail("report", "'--verify' shows no events: it cannot be used "
				      "with '--dlfilter'");
	if (r->is_follow && (r->pt.has_itrace || r->pt.has_calls || r->pt.kcore))
		return cmd_usage_fail("report", "'--follow' shows only events: it cannot be used "
				      "with options of Intel PT");
	return 0;
}

int fargs_report_request_check_pt(struct fargs_report_request *r)
{
	bool is_text = !r->options.filter && !fargs_pipeline_selects_tasks(&r->options) &&
		       !fargs_view_is_set(&r->view) && !fargs_pt_report_needs_events(&r->pt);
	struct fargs_error_text err;

	if (fargs_view_check(&r->view, &err))
		return cmd_usage_fail("report", "%s", err.text);
	if (r->view.is_diff)
		return cmd_usage_fail("report", "'--diff' compares recorded calls: it cannot be "
				      "used with options of Intel PT");
	if (is_text && (r->is_verify || r->view.is_raw || r->options.has_zeros ||
			r->options.has_ns))
		return cmd_usage_fail("report", "options of Intel PT cannot be used with '--raw', "
				      "'--zeros', '--ns' or '--verify'");
	if (r->pt.has_calls && r->view.has_perf_fields)
		return cmd_usage_fail("report", "'-F' shows branches and instructions: use it with "
				      "'--itrace=', with the field callindent for calls");
	if (r->is_graph)
		return cmd_usage_fail("report", "'-g' shows only recorded calls: use "
				      "'--call-ret-trace' for the nested calls of Intel PT");
	if (r->pt.has_calls && fargs_dlfilter_options_get(&r->dlfilters))
		return cmd_usage_fail("report", "'--dlfilter' filters branches and other samples: "
				      "use it with '--itrace=', such as '--itrace=cr' for calls "
				      "and returns");
	return 0;
}

/* Rejects options that cannot be combined with -g (--graph). */
static int check_graph(const struct fargs_report_request *r)
{
	if (r->is_verify)
		return cmd_usage_fail("report", "'--verify' prints no events: it cannot be used "
				      "with '-g'");
	if (r->view.is_raw || fargs_view_is_set(&r->view))
		return cmd_usage_fail("report", "'-g' prints lines: it cannot be used with "
				      "'--raw', '--html', '--json', '--kvm', '--fields' or a "
				      "summary");
	if (fargs_dlfilter_options_get(&r->dlfilters))
		return cmd_usage_fail("report", "'--dlfilter' filters single lines: it cannot be "
				      "used with '-g'");
	return 0;
}

/* Checks the options for recordings by fargs and trace-cmd. */
static int check_records(struct fargs_report_request *r)
{
	struct fargs_view *view = &r->view;
	struct fargs_error_text err;

	if (fargs_view_check(view, &err))
		return cmd_usage_fail("report", "%s", err.text);
	/* The times of a vcpu can be computed only from all its events, in order. */
	if (view->is_kvm && (r->options.has_zeros || r->options.cpus.nr || r->options.filter ||
			     fargs_pipeline_selects_tasks(&r->options)))
		return cmd_usage_fail("report", "'--kvm' needs all events of vcpus: it cannot be "
				      "used with '--cpu', '--comm', '--pid', '--tid', '--filter' or "
				      "'--zeros'");
	if (r->is_verify && fargs_view_is_set(view))
		return cmd_usage_fail("report", "'--verify' prints no events: it cannot be used "
				      "with '--html', '--json', '--kvm', '--fields' or a summary");
	if (r->is_follow && (view->is_diff || view->html))
		return cmd_usage_fail("report", "'%s' needs a finished file: it cannot be used "
				      "with '--follow'",
				      view->html ? "--html" : "--diff");
	return r->is_graph ? check_graph(r) : 0;
}

/* Rejects files of other tracers, which cannot be followed or compared. */
static int check_own(const struct fargs_report_request *r, const struct fargs_operands *files)
{
	const char *path, *what;
	int i;

	for (i = 0; i < files->nr; i++) {
		path = files->words[i];
		what = fargs_perf_file_is(path) ? "a perf.data file" :
		       fargs_tracecmd_is_file(path) ? "a trace.dat file" : NULL;
		if (what && r->is_follow)
			return cmd_usage_fail("report", "'--follow' shows a recording of fargs "
					      "while it is being made: '%s' is %s", path, what);
		if (what)
			return cmd_usage_fail("report", "'--diff' compares recordings of fargs: "
					      "'%s' is %s", path, what);
	}
	return 0;
}

static int find_source(struct fargs_report_request *r, const struct fargs_operands *files,
		       enum fargs_report_source *source)
{
	const char *path = files->words[0];

	*source = FARGS_REPORT_PT;
	if ((r->pt.has_itrace || r->pt.has_calls) && !fargs_pt_report_adds(&r->pt))
		return fargs_report_request_check_pt(r);
	if (check_records(r) || ((r->is_follow || r->view.is_diff) && check_own(r, files)))
		return 1;
	*source = FARGS_REPORT_DIFF;
	if (r->view.is_diff)
		return fargs_dlfilter_options_get(&r->dlfilters) ?
		       cmd_usage_fail("report", "'--diff' compares summaries: it cannot be used "
				      "with '--dlfilter'") : 0;
	*source = FARGS_REPORT_PERF;
	if (fargs_perf_file_is(path))
		return 0;
	if (fargs_pt_report_adds(&r->pt))
		return cmd_usage_fail("report", "'--itrace': 'G' and 'L' add to the samples of a "
				      "perf.data file: '%s' is none", path);
	if (r->pt.kcore)
		return cmd_usage_fail("report", "'--kcore' supplies the kernel code that decoding "
				      "an Intel PT trace needs: give '--call-trace', "
				      "'--call-ret-trace' or '--itrace='");
	*source = FARGS_REPORT_TRACE_DAT;
	if (fargs_tracecmd_is_file(path))
		return 0;
	*source = FARGS_REPORT_RECORDS;
	return 0;
}

int fargs_report_request_finish(struct fargs_report_request *r,
				const struct fargs_operands *files,
				enum fargs_report_source *source)
{
	if (check_files(r, files) || check(r))
		return 1;
	if (!r->options.nr_threads)
		r->options.nr_threads = count_cpus();
	/* perf's meaning of --ns. */
	if (r->view.has_perf_fields && r->options.has_ns) {
		r->view.perf_fields.has_ns = true;
		r->options.has_ns = false;
	}
	r->view.is_coloured = fargs_colour_is_wanted(r->colour, STDOUT_FILENO);
	return find_source(r, files, source);
}

void fargs_report_request_deinit(struct fargs_report_request *r)
{
	fargs_pipeline_options_deinit(&r->options);
	fargs_pt_report_options_deinit(&r->pt);
	fargs_dlfilter_options_deinit(&r->dlfilters);
	fargs_guest_options_deinit(&r->guests);
}
