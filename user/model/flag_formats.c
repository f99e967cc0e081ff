// SPDX-License-Identifier: GPL-2.0-only
#include "model/flag_formats.h"

#include <stdlib.h>
#include <string.h>

/* Is @format, which begins with "name: NAME", that of @event? */
static bool is_of(const struct fargs_event_format *format,
		  const struct fargs_symbolic_event *event)
{
	static const char key[] = "name: ";
	const size_t len = strlen(event->name);

	return !strcmp(format->system, event->system) &&
	       !strncmp(format->text, key, sizeof(key) - 1) &&
	       !strncmp(format->text + sizeof(key) - 1, event->name, len) &&
	       format->text[sizeof(key) - 1 + len] == '\n';
}

static const char *find(void *arg, const struct fargs_symbolic_event *event, size_t *bytes,
			char **to_free)
{
	const struct fargs_meta *meta = arg;
	const struct fargs_event_format *format;
	size_t i;

	for (i = 0; i < meta->nr_formats + meta->nr_flag_formats; i++) {
		format = i < meta->nr_formats ? &meta->formats[i] :
						&meta->flag_formats[i - meta->nr_formats];
		if (is_of(format, event)) {
			*bytes = format->bytes;
			return format->text;
		}
	}
	return NULL;
}

int fargs_flag_formats_read(struct fargs_meta *meta)
{
	const struct fargs_symbolic_event *event;
	char *text = NULL;
	size_t i, bytes;
	int ret = 0;

	for (i = 0; i < fargs_nr_symbolic_events && !text; i++) {
		event = &fargs_symbolic_events[i];
		if (find(meta, event, &bytes, &text))
			return 0;
		if (fargs_symbolic_read_format(NULL, event, &bytes, &text))
			ret = fargs_meta_add_flag_format(meta, event->system, text, bytes);
	}
	free(text);
	return ret;
}

struct fargs_symbolic *fargs_flag_formats_symbolic(struct fargs_meta *meta)
{
	return fargs_symbolic_create(find, meta);
}
