// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_log.h"

#include <errno.h>
#include <string.h>

#include "base/outfile.h"
#include "cmd/screen/cmd.h"
#include "source/pt/events/log.h"
#include "source/pt/trace/trace.h"

struct output {
	FILE *file;
	int error;		/* 0, or -errno if it cannot be written */
};

static int write_text(void *arg, const char *text, size_t bytes)
{
	struct output *out = arg;

	errno = 0;
	if (fwrite(text, 1, bytes, out->file) == bytes)
		return 0;
	out->error = errno ? -errno : -EIO;
	return out->error;
}

static struct fargs_pt_log_options log_options(const struct fargs_pt_report_options *o,
					       const struct fargs_pt_input *in)
{
	const struct fargs_itrace_flags flags = o->itrace.log_flags;

	return (struct fargs_pt_log_options){
		.cpus = o->cpus, .window = &o->window, .engine = o->engine,
		.quick = fargs_pt_trace_quick(in, fargs_pt_report_which(o).quick),
		.has_all_records = fargs_itrace_has_plus(flags, 'a'),
		.omits_records = fargs_itrace_has_minus(flags, 'a'),
		.bytes_before_error = !fargs_itrace_has_plus(flags, 'e') ? 0 :
				      in->settings.log_bytes ? in->settings.log_bytes :
				      FARGS_PT_LOG_BYTES,
	};
}

int fargs_pt_report_log(const struct fargs_pt_report_options *o, const struct fargs_pt_input *in)
{
	bool is_stdout = fargs_itrace_has_plus(o->itrace.log_flags, 'o');
	struct fargs_outfile file = FARGS_OUTFILE_NONE;
	const struct fargs_pt_log_options options = log_options(o, in);
	struct fargs_error_text err = { "" };
	struct output out = { .file = stdout };
	int ret;

	if (!o->itrace.has_log)
		return 0;
	if (!is_stdout) {
		if (fargs_outfile_open(&file, FARGS_PT_LOG, 0, &err))
			return cmd_fail("%s", err.text);
		if (fargs_outfile_stream(&file)) {
			fargs_outfile_deinit(&file);
			return cmd_fail("out of memory");
		}
		out.file = file.file;
	}
	ret = fargs_pt_log_run(in, &options, write_text, &out, &err);
	if (!ret)
		out.error = is_stdout ? (fflush(stdout) ? -errno : 0) :
					fargs_outfile_finish(&file);
	fargs_outfile_deinit(&file);
	if (out.error)
		return cmd_fail("cannot write %s: %s", is_stdout ? "to standard output" :
				"'" FARGS_PT_LOG "'", strerror(-out.error));
	return ret ? cmd_fail("%s", err.text) : 0;
}
