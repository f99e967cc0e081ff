/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shows all events of a source as JSON and as lines of text, for the fuzzers of files.
 */
#ifndef FUZZ_SOURCE_SHOW_H
#define FUZZ_SOURCE_SHOW_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/json_check.h"
#include "pipeline/pipeline.h"
#include "sink/json/json_event.h"
#include "sink/text/text.h"

/* Limit of the output: more would not test more. */
#define SOURCE_SHOW_BYTES	(1u << 20)

static int source_show_event(void *arg, struct fargs_buf *out, struct fargs_decoder *d,
			     const struct fargs_event *ev)
{
	struct fargs_buf text = { };
	uint64_t *bytes = arg;
	size_t at = out->n;
	int ret = fargs_json_event(out, d, ev);

	if (!ret && out->n > at && !json_lines_are_valid(out->text + at, out->n - at)) {
		fprintf(stderr, "not JSON: %.*s\n", (int)(out->n - at), out->text + at);
		abort();
	}
	if (!ret)
		ret = fargs_text_event(&text, d, ev);
	*bytes += out->n - at + text.n;
	fargs_buf_deinit(&text);
	return ret ? ret : *bytes > SOURCE_SHOW_BYTES ? -ECANCELED : 0;
}

static int source_show_drop(void *arg, const char *text, size_t bytes)
{
	return 0;
}

/* Returns 0, or a negative value with the reason in @err. */
__attribute__((unused)) static int source_show(struct fargs_event_source *source,
					       struct fargs_error_text *err)
{
	const struct fargs_pipeline_options options = {
		.nr_threads = 1,
	};
	uint64_t bytes = 0;
	const struct fargs_sink sink = { .event = source_show_event, .arg = &bytes };
	struct fargs_pipeline *p = fargs_pipeline_create(source, &sink, &options, err);
	int ret;

	if (!p) {
		fprintf(stderr, "no pipeline: %s\n", err->text);
		abort();
	}
	ret = fargs_pipeline_run(p, source_show_drop, NULL, err);
	fargs_pipeline_destroy(p);
	return ret == -ECANCELED ? 0 : ret;
}

#endif
