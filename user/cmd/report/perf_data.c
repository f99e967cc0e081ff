// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/perf_data.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/put.h"
#include "cmd/screen/cmd.h"
#include "plugin/dlfilter/perf_samples.h"
#include "source/perf_data/event_name.h"

/* Widths of the columns for the task name and the period, as in the output of perf script. */
#define COMM_WIDTH	16
#define PERIOD_WIDTH	10

struct report {
	const struct fargs_perf_report_options *options;
	struct fargs_recording *recording;
	struct fargs_dlfilter_perf *samples;
	struct fargs_buf line;
};

static void put_comm(struct fargs_buf *out, const struct fargs_recorded *r)
{
	char number[16];
	const char *comm = r->comm;
	size_t n;

	if (!comm && r->sample.tid > 0) {
		snprintf(number, sizeof(number), ":%d", r->sample.tid);
		comm = number;
	}
	if (!comm)
		comm = r->sample.tid ? ":-1" : "swapper";
	n = strlen(comm);
	fargs_buf_fill(out, ' ', n < COMM_WIDTH ? COMM_WIDTH - n : 0);
	fargs_put_escaped(out, comm, n, NULL);
}

static void put_place(struct report *p, const struct fargs_recorded *r, uint64_t addr)
{
	struct fargs_dlfilter_al al = { .size = 0 };
	struct fargs_buf *out = &p->line;
	char text[32];

	fargs_dlfilter_perf_resolve(p->samples, r, addr, &al);
	snprintf(text, sizeof(text), " %16llx ", (unsigned long long)addr);
	fargs_put(out, text);
	if (al.sym) {
		fargs_put_escaped(out, al.sym, strlen(al.sym), NULL);
		fargs_put_char(out, '+');
		fargs_put_hex(out, al.symoff);
	} else {
		fargs_put(out, "[unknown]");
	}
	fargs_put(out, " (");
	fargs_put_escaped(out, al.dso ? al.dso : "[unknown]",
			  strlen(al.dso ? al.dso : "[unknown]"), NULL);
	fargs_put_char(out, ')');
}

static bool is_branch(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE && fargs_perf_event_has_code_addr(attr);
}

/*
 * Writes "comm tid [cpu] time: period event: ip symbol+offset (file)"; for a branch also its
 * target.
 */
static void put_line(struct report *p, const struct fargs_recorded *r)
{
	const struct fargs_sample *s = &r->sample;
	struct fargs_buf *out = &p->line;
	char text[64];

	put_comm(out, r);
	snprintf(text, sizeof(text), " %5d", s->tid);
	fargs_put(out, text);
	if (s->cpu >= 0) {
		snprintf(text, sizeof(text), " [%03d]", s->cpu);
		fargs_put(out, text);
	}
	if (s->ns != UINT64_MAX) {
		snprintf(text, sizeof(text), " %5llu.%06llu:",
			 (unsigned long long)(s->ns / 1000000000),
			 (unsigned long long)(s->ns % 1000000000 / 1000));
		fargs_put(out, text);
	}
	fargs_put_char(out, ' ');
	fargs_put_u64(out, s->period, PERIOD_WIDTH, ' ');
	fargs_put_char(out, ' ');
	fargs_put_escaped(out, r->event, strlen(r->event), NULL);
	fargs_put_char(out, ':');
	if (r->attr->sample_type & PERF_SAMPLE_IP)
		put_place(p, r, s->ip);
	if (is_branch(r->attr)) {
		fargs_put(out, " =>");
		put_place(p, r, s->addr);
	}
	fargs_put_char(out, '\n');
}

static bool is_wanted(const struct fargs_perf_report_options *o, const struct fargs_sample *s)
{
	return (!o->is_one_cpu || (s->cpu >= 0 && (unsigned int)s->cpu == o->cpu)) &&
	       (s->ns == UINT64_MAX || fargs_time_window_has(&o->window, s->ns));
}

/*
 * Passes a sample to the filters, and shows it if it is selected and no filter drops it. Returns 0;
 * -errno if stdout cannot be written; or 1 if a filter failed, which is reported later.
 */
static int show(struct report *p, const struct fargs_recorded *r)
{
	bool wanted = is_wanted(p->options, &r->sample);
	int ret = fargs_dlfilter_perf_ask(p->samples, r, wanted);

	if (ret < 0)
		return 1;
	if (ret || !wanted)
		return 0;
	p->line.n = 0;
	put_line(p, r);
	return p->line.is_short ? -ENOMEM : cmd_print(p->line.text, p->line.n);
}

static int show_all(struct report *p, const char *path)
{
	struct fargs_error_text err = { "" };
	struct fargs_recorded r;
	int ret, status = 0;

	while (!status && (ret = fargs_recording_next(p->recording, &r, &err)) > 0)
		status = show(p, &r);
	if (status < 0)
		return cmd_fail("cannot write: %s", strerror(-status));
	if (!status && ret < 0) {
		/* Flush the lines of output before the error is printed. */
		fflush(stdout);
		return cmd_fail("%s", err.text);
	}
	return status;
}

int fargs_perf_report(const struct fargs_perf_report_options *o, const char *path)
{
	struct report p = { .options = o };
	struct fargs_error_text err;
	int status;

	p.recording = fargs_recording_open(path, &err);
	if (!p.recording)
		return cmd_fail("%s", err.text);
	if (!fargs_recording_nr_samples(p.recording) && fargs_recording_has_trace(p.recording)) {
		fargs_recording_close(p.recording);
		return cmd_usage_fail("report", "'%s' is an Intel PT trace of perf: give "
				      "'--call-trace', '--call-ret-trace' or '--itrace='",
				      path);
	}
	p.samples = fargs_dlfilter_perf_create(o->filters, p.recording, o->kcore, &err);
	status = p.samples ? show_all(&p, path) : cmd_fail("%s", err.text);
	if (fflush(stdout) && !status)
		status = cmd_fail("cannot write: %s", strerror(errno));
	fargs_buf_deinit(&p.line);
	fargs_dlfilter_perf_destroy(p.samples);
	fargs_recording_close(p.recording);
	return status;
}
