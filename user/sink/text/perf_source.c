// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/perf_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/put.h"
#include "sink/text/source_text.h"

/* The line that was shown last for a task. */
struct shown {
	pid_t tid;
	unsigned int line;
	char *file;
};

struct fargs_perf_source {
	struct fargs_source_text *text;
	struct shown *shown;
	size_t nr_shown;
};

struct fargs_perf_source *fargs_perf_source_create(void)
{
	struct fargs_perf_source *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->text = fargs_source_text_create();
	if (s->text)
		return s;
	free(s);
	return NULL;
}

void fargs_perf_source_destroy(struct fargs_perf_source *s)
{
	if (!s)
		return;
	while (s->nr_shown)
		free(s->shown[--s->nr_shown].file);
	free(s->shown);
	fargs_source_text_destroy(s->text);
	free(s);
}

/* Returns the line that was shown last for the task; NULL: out of memory. */
static struct shown *last_shown(struct fargs_perf_source *s, pid_t tid)
{
	struct shown *shown;
	size_t i;

	for (i = 0; i < s->nr_shown; i++)
		if (s->shown[i].tid == tid)
			return &s->shown[i];
	shown = fargs_array_add(s->shown, s->nr_shown);
	if (shown)
		*shown = (struct shown){ .tid = tid };
	return shown;
}

/* Returns false if @place was shown last for @tid; or if out of memory, which sets @is_short. */
static bool is_new(struct fargs_perf_source *s, pid_t tid, const struct fargs_event_place *place,
		   bool *is_short)
{
	struct shown *shown = last_shown(s, tid);

	if (shown && shown->file && shown->line == place->source_line &&
	    !strcmp(shown->file, place->source_file))
		return false;
	if (shown) {
		free(shown->file);
		shown->file = strdup(place->source_file);
		shown->line = place->source_line;
	}
	*is_short |= !shown || !shown->file;
	return shown && shown->file;
}

/* Writes a line of source, with its tabs. */
static void put_code(struct fargs_buf *out, const char *text, size_t bytes)
{
	const char *tab;

	while ((tab = memchr(text, '\t', bytes))) {
		fargs_put_escaped(out, text, tab - text, NULL);
		fargs_put_char(out, '\t');
		bytes -= tab + 1 - text;
		text = tab + 1;
	}
	fargs_put_escaped(out, text, bytes, NULL);
}

void fargs_perf_put_source(struct fargs_perf_writer *w, const struct fargs_event_place *place)
{
	const char *text;
	size_t bytes;

	if (!(w->fields & FARGS_PERF_SRCCODE) || !place->source_file)
		return;
	text = fargs_source_text_line(w->source->text, place->source_file, place->source_line,
				      &bytes);
	if (!text || !is_new(w->source, w->ev->tid, place, &w->out->is_short))
		return;
	fargs_perf_put(w, "|%-8u ", place->source_line);
	put_code(w->out, text, bytes);
	fargs_put_char(w->out, '\n');
}
