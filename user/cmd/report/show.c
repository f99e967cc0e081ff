// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/screen/cmd.h"

static int write_page(struct fargs_show *s, const char *text, size_t bytes)
{
	errno = 0;
	if (fwrite(text, 1, bytes, s->page.file) == bytes)
		return 0;
	return errno ? -errno : -EIO;
}

static int write_text(void *arg, const char *text, size_t bytes)
{
	struct fargs_show *s = arg;

	s->write_error = s->page.file ? write_page(s, text, bytes) :
			 s->is_stdio ? cmd_print(text, bytes) : cmd_write(text, bytes);
	return s->write_error;
}

static int fail_write(const struct fargs_show *s)
{
	const char *html = s->view->html;

	return html ? cmd_fail("cannot write '%s': %s", html, strerror(-s->write_error)) :
		      cmd_fail("cannot write: %s", strerror(-s->write_error));
}

static int open_page(struct fargs_show *s)
{
	const char *html = s->view->html;
	struct fargs_error_text err;

	if (cmd_is_same_file(html, s->path))
		return cmd_fail("'%s' is the trace file itself: give another name", html);
	if (s->with && cmd_is_same_file(html, s->with))
		return cmd_fail("'%s' is the file of '--with': give another name", html);
	if (fargs_outfile_open(&s->page, html, 0, &err))
		return cmd_fail("%s", err.text);
	return fargs_outfile_stream(&s->page) ? cmd_fail("out of memory") : 0;
}

/* Checks that the source has all facts that the options need. */
static int check_facts(const struct fargs_show *s, struct fargs_error_text *err)
{
	const struct fargs_pipeline_options *o = s->options;
	const char *view;
	uint32_t view_needs = fargs_view_needs(s->view, &view);
	const struct {
		const char *option;
		uint32_t needs;
	} all[] = {
		{ "'--raw'", s->view->is_raw ? FARGS_FACT_RAW : 0 },
		{ "'--zeros'", o->has_zeros ? FARGS_FACT_TYPES : 0 },
		{ "'--ns'", o->has_ns ? FARGS_FACT_NS_TIDS : 0 },
		{ s->guests, s->guests ? FARGS_FACT_FORMATTED : 0 },
		{ "'--verify'", o->is_silent ? FARGS_FACT_COUNTERS : 0 },
		{ "'--follow'", o->follow.arg ? FARGS_FACT_GROWTH : 0 },
		{ "'-g'", s->is_nested ? FARGS_FACT_NESTING : 0 },
		{ "'--time'", !fargs_time_window_is_all(&o->window) ? FARGS_FACT_TIMES : 0 },
		{ "'--cpu'", o->cpus.nr ? FARGS_FACT_CPUS : 0 },
		{ view, view_needs },
	};
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < sizeof(all) / sizeof(all[0]); i++)
		ret = fargs_facts_check(all[i].needs, s->source->facts, all[i].option, s->path,
					s->source->what, err);
	return ret;
}

int fargs_show_begin(struct fargs_show *s)
{
	const struct fargs_pipeline_options *o = s->options;
	struct fargs_meta *meta = s->source->meta;
	struct fargs_error_text err = { "" };
	const struct fargs_sink *sink;

	if (check_facts(s, &err) ||
	    fargs_pipeline_options_resolve(s->options, s->source, s->path, &err))
		return cmd_usage_fail("report", "%s", err.text);
	if (o->cpus.nr && fargs_id_set_last(&o->cpus) >= meta->info.nr_cpus)
		return cmd_fail("'%s': there is no CPU %u: the number of CPUs is %u", s->path,
				fargs_id_set_last(&o->cpus), meta->info.nr_cpus);
	s->view->is_part = !fargs_time_window_is_all(&o->window) || o->cpus.nr ||
			   fargs_pipeline_selects_tasks(o);
	/*
	 * With a dlfilter, the output for an event must be complete before the next event, but
	 * nested calls are held until the next event.
	 */
	sink = fargs_view_begin(s->view, meta, s->path,
				(s->source->facts & FARGS_FACT_NESTING) && !o->hook.arg, &err);
	if (!sink)
		return cmd_fail("'%s': %s", s->path, err.text);
	s->pipeline = fargs_pipeline_create(s->source, sink, o, &err);
	if (!s->pipeline)
		return cmd_fail("'%s': %s", s->path, err.text);
	return s->view->html ? open_page(s) : 0;
}

bool fargs_show_is_abandoned(const struct fargs_show *s)
{
	return s->write_error == -EPIPE;
}

int fargs_show_run(struct fargs_show *s)
{
	struct fargs_error_text err = { "" };

	s->ret = fargs_pipeline_run(s->pipeline, write_text, s, &err);
	/* Output through stdio is buffered: flush it before printing error messages. */
	if (s->is_stdio && fflush(stdout) && !s->write_error)
		s->write_error = -errno;
	if (fargs_show_is_abandoned(s) && s->options->follow.arg)
		return 0;
	if (s->write_error)
		return fail_write(s);
	if (!s->ret)
		return 0;
	if (fargs_view_error(s->view))
		return cmd_fail("'%s': %s", s->path, fargs_view_error(s->view));
	if (s->options->hook.arg && s->ret == -EINVAL && !err.text[0])
		return 1;
	return cmd_fail("%s", err.text[0] ? err.text : strerror(-s->ret));
}

int fargs_show_finish(struct fargs_show *s)
{
	struct fargs_error_text err;

	if (s->page.file) {
		s->write_error = fargs_outfile_finish(&s->page);
		if (s->write_error)
			return fail_write(s);
	}
	return fargs_view_is_empty(s->view, &err) ? cmd_fail("'%s': %s", s->path, err.text) : 0;
}

void fargs_show_deinit(struct fargs_show *s)
{
	fargs_outfile_deinit(&s->page);
	fargs_pipeline_destroy(s->pipeline);
	s->pipeline = NULL;
	if (s->view)
		fargs_view_end(s->view);
}
