// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/perf_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "sink/text/perf_blocks.h"
#include "sink/text/perf_parts.h"
#include "sink/text/perf_source.h"
#include "sink/text/pt_line.h"

/* Width of the field comm. */
#define COMM_WIDTH	16
/* Width of the field synth. */
#define SYNTH_WIDTH	34
/* The field callindent: blanks for each caller, and when its width changes. */
#define INDENT		4
#define INDENT_STEP	32
#define INDENT_SLACK	52

struct fargs_perf_lines {
	struct fargs_sink sink;
	struct fargs_perf_fields fields;
	unsigned int name_width;
	unsigned int indent_width;	/* of the field callindent */
	struct fargs_perf_source *source;	/* NULL: not shown */
};

/* Is this an event of perf that shows a branch as "from => to"? */
static bool is_branch(const struct fargs_perf_writer *w)
{
	return w->ev->kind == FARGS_EVENT_BRANCH ||
	       (w->ev->kind == FARGS_EVENT_SAMPLE && w->sample->has_target);
}

/* Right-aligned in @width columns. */
static void put_right(struct fargs_perf_writer *w, const char *text, size_t width)
{
	size_t n = strlen(text);

	if (n < width)
		fargs_buf_fill(w->out, ' ', width - n);
	fargs_perf_put_text(w, text);
}

static void put_task(struct fargs_perf_writer *w)
{
	const struct fargs_event *ev = w->ev;

	if (w->fields & FARGS_PERF_MACHINE_PID && ev->machine_pid)
		fargs_perf_put(w, "VM:%5d ", ev->machine_pid);
	if (w->fields & FARGS_PERF_VCPU && ev->machine_pid)
		fargs_perf_put(w, "VCPU:%03u ", ev->vcpu);
	if (w->fields & FARGS_PERF_COMM) {
		put_right(w, ev->comm, w->fields & FARGS_PERF_IP && fargs_perf_has_chain(w) ?
				       0 : COMM_WIDTH);
		fargs_put_char(w->out, ' ');
	}
	if (w->fields & FARGS_PERF_PID && w->fields & FARGS_PERF_TID)
		fargs_perf_put(w, "%5d/%-5d ", ev->tgid, ev->tid);
	else if (w->fields & FARGS_PERF_PID)
		fargs_perf_put(w, "%5d ", ev->tgid);
	else if (w->fields & FARGS_PERF_TID)
		fargs_perf_put(w, "%5d ", ev->tid);
}

static void put_head(struct fargs_perf_writer *w)
{
	const struct fargs_event *ev = w->ev;
	uint64_t ns = ev->time_ns;

	put_task(w);
	if (w->fields & FARGS_PERF_CPU && !ev->has_no_cpu)
		fargs_perf_put(w, "[%03u] ", ev->cpu);
	if (w->fields & FARGS_PERF_TIME && !ev->has_no_time) {
		if (w->lines->fields.has_ns)
			fargs_perf_put(w, "%5" PRIu64 ".%09" PRIu64 ": ", ns / 1000000000,
				       ns % 1000000000);
		else
			fargs_perf_put(w, "%5" PRIu64 ".%06" PRIu64 ": ", ns / 1000000000,
			    ns % 1000000000 / 1000);
	}
	if (w->fields & FARGS_PERF_PERIOD)
		fargs_perf_put(w, "%10" PRIu64 " ", w->sample->period);
	if (w->fields & FARGS_PERF_EVENT) {
		put_right(w, w->sample->event, w->lines->name_width);
		fargs_put(w->out, ": ");
	}
}

/* Is the branch a call or, if @is_return, a return? One that ends the trace may be one, too. */
static bool is_kind(const char *words, bool is_return)
{
	static const char *const calls[] = {
		"call", "int", "syscall", "hw int", "vmentry", "vmexit",
	};
	static const char *const returns[] = { "return", "iret", "sysret" };
	size_t nr = is_return ? sizeof(returns) / sizeof(*returns) : sizeof(calls) / sizeof(*calls);
	size_t i;

	if (!strncmp(words, "tr end", strlen("tr end")))
		words += strlen("tr end") + strspn(words + strlen("tr end"), " ");
	for (i = 0; i < nr; i++)
		if (!strcmp(words, is_return ? returns[i] : calls[i]))
			return true;
	return false;
}

/* Sets *@place to that of the function which the field callindent names; NULL: none. */
static const struct fargs_event_place *indented_place(const struct fargs_perf_writer *w)
{
	const char *words = w->sample->flags ? w->sample->flags : "";

	if (is_kind(words, false) || !strcmp(words, "tr strt"))
		return &w->sample->target;
	if (is_kind(words, true) || !strncmp(words, "tr end", strlen("tr end")))
		return &w->sample->place;
	return NULL;
}

/* Names the function that is called or returns, indented by its depth, as perf script does. */
static void put_indented(struct fargs_perf_writer *w)
{
	const struct fargs_event_place *place = indented_place(w);
	struct fargs_perf_lines *lines = w->lines;
	size_t begin, n;

	if (w->fields & FARGS_PERF_DSO && !(w->fields & (FARGS_PERF_IP | FARGS_PERF_ADDR))) {
		fargs_perf_put_file(w, &w->sample->place);
		fargs_put_char(w->out, '\t');
	}
	begin = w->out->n;
	if (place && (place->symbol || place->addr)) {
		fargs_buf_fill(w->out, ' ', (size_t)INDENT * w->sample->depth);
		if (place->symbol)
			fargs_perf_put_text(w, place->symbol);
		else
			fargs_perf_put(w, "%16" PRIx64, place->addr);
	}
	n = w->out->n - begin;
	if (n > lines->indent_width || (n && n + INDENT_SLACK < lines->indent_width))
		lines->indent_width = (n + INDENT + INDENT_STEP - 1) / INDENT_STEP * INDENT_STEP;
	if (n < lines->indent_width)
		fargs_buf_fill(w->out, ' ', lines->indent_width - n);
}

static void put_branch(struct fargs_perf_writer *w)
{
	const struct fargs_event_sample *sample = w->sample;

	if (w->fields & FARGS_PERF_CALLINDENT)
		put_indented(w);
	fargs_perf_put_place(w, false);
	if (w->fields & FARGS_PERF_ADDR || !w->lines->fields.is_changed[sample->perf_type]) {
		fargs_perf_put(w, " => %16" PRIx64, sample->target.addr);
		fargs_perf_put_names(w, &sample->target);
	}
	fargs_perf_put_ipc(w);
	if (w->fields & FARGS_PERF_IP && !fargs_perf_has_chain(w))
		fargs_perf_put_source_line(w, &sample->place, "\n  ");
	fargs_perf_put_insn(w);
	fargs_perf_put_blocks(w);
}

static void put_addr(struct fargs_perf_writer *w)
{
	struct fargs_event_place place;

	fargs_perf_put(w, "%16" PRIx64, w->sample->addr);
	if (!w->sample->is_addr_code)
		return;
	fargs_decoder_place(w->d, w->sample->addr, &place);
	fargs_perf_put_names(w, &place);
}

/* What Intel PT reports besides branches, in a column of its own. */
static void put_synthetic(struct fargs_perf_writer *w)
{
	size_t begin = w->out->n, n;

	fargs_put_char(w->out, ' ');
	fargs_perf_put_text(w, w->sample->synth);
	n = w->out->n - begin;
	if (n < SYNTH_WIDTH)
		fargs_buf_fill(w->out, ' ', SYNTH_WIDTH - n);
}

static void put_sample(struct fargs_perf_writer *w)
{
	if (w->fields & FARGS_PERF_SYNTHETIC && w->sample->synth)
		put_synthetic(w);
	if (w->fields & FARGS_PERF_ADDR)
		put_addr(w);
	fargs_perf_put_place(w, true);
	if (w->fields & (FARGS_PERF_BRSTACK | FARGS_PERF_BRSTACKSYM | FARGS_PERF_BRSTACKOFF))
		fargs_perf_put_last_branches(w);
	fargs_perf_put_insn(w);
	fargs_perf_put_blocks(w);
	fargs_perf_put_ipc(w);
}

static int put_event(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
		     const struct fargs_event *ev)
{
	struct fargs_perf_lines *lines = arg;
	struct fargs_perf_writer w = {
		.out = out, .lines = lines, .source = lines->source, .d = d, .ev = ev,
		.sample = ev->sample,
	};

	if (ev->error)
		fargs_pt_line_event(out, d, ev);
	if (!ev->sample)
		return out->is_short ? -ENOMEM : 0;
	w.fields = lines->fields.shown[ev->sample->perf_type];
	if (!w.fields)
		return 0;
	put_head(&w);
	if (lines->fields.has_flags)
		fargs_perf_put_flags(&w);
	if (is_branch(&w))
		put_branch(&w);
	else
		put_sample(&w);
	fargs_put_char(out, '\n');
	fargs_perf_put_source(&w, &w.sample->place);
	return out->is_short ? -ENOMEM : 0;
}

struct fargs_perf_lines *fargs_perf_lines_create(const struct fargs_perf_fields *fields,
						 const struct fargs_meta *meta,
						 struct fargs_error_text *err)
{
	struct fargs_perf_lines *lines;
	const struct fargs_perf_fields *f;

	if (!meta->perf) {
		fargs_fail(err, EINVAL, "'-F' shows fields of perf's events, which this file does "
			   "not have: use '--fields'");
		return NULL;
	}
	lines = calloc(1, sizeof(*lines));
	if (!lines) {
		fargs_fail(err, ENOMEM, "out of memory");
		return NULL;
	}
	lines->fields = *fields;
	f = &lines->fields;
	lines->name_width = meta->perf->name_width;
	lines->sink = (struct fargs_sink){ .event = put_event, .arg = lines };
	if (fargs_perf_fields_resolve(&lines->fields, meta->perf, err)) {
		fargs_perf_lines_destroy(lines);
		return NULL;
	}
	if (fargs_perf_fields_any(f, FARGS_PERF_SRCCODE)) {
		lines->source = fargs_perf_source_create();
		if (!lines->source) {
			fargs_perf_lines_destroy(lines);
			fargs_fail(err, ENOMEM, "out of memory");
			return NULL;
		}
	}
	lines->sink.details = fargs_perf_fields_details(f);
	/* The width of one depends on lines before it, and a line of source is shown once. */
	lines->sink.is_in_order = fargs_perf_fields_any(f, FARGS_PERF_CALLINDENT |
							   FARGS_PERF_SRCCODE);
	return lines;
}

void fargs_perf_lines_destroy(struct fargs_perf_lines *lines)
{
	if (!lines)
		return;
	fargs_perf_source_destroy(lines->source);
	free(lines);
}

const struct fargs_sink *fargs_perf_lines_sink(const struct fargs_perf_lines *lines)
{
	return &lines->sink;
}
