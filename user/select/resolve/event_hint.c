// SPDX-License-Identifier: GPL-2.0-only
#include "select/resolve/event_hint.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/tracefs.h"

static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Is @name the name of the field declared at @field, as "TYPE NAME;" or "TYPE NAME[16];"? @end:
 * position of the ';'.
 */
static bool is_field(const char *field, const char *end, const char *name, size_t len)
{
	const char *start;

	if (end > field && end[-1] == ']')
		while (end > field && *end != '[')
			end--;
	start = end;
	while (start > field && is_in_name(start[-1]))
		start--;
	return (size_t)(end - start) == len && !memcmp(start, name, len);
}

/* Does @format, the file "format" of an event, describe a field called @name? */
static bool has_field(const char *format, const char *name, size_t len)
{
	static const char key[] = "\tfield:";
	const char *end;

	while ((format = strstr(format, key))) {
		format += strlen(key);
		end = strchr(format, ';');
		if (end && is_field(format, end, name, len))
			return true;
	}
	return false;
}

static bool has_event_field(const char *dir, const struct fargs_tracefs_event *event,
			    const char *name, size_t len)
{
	size_t bytes;
	char *format = fargs_tracefs_read(dir, event, "format", &bytes);
	bool has = format && has_field(format, name, len);

	free(format);
	return has;
}

void fargs_event_hint(struct fargs_diagnostic *m, const char *dir, const char *tpoint,
		      const char *selector)
{
	struct fargs_tracefs_events all;
	const char *name;
	size_t i, len = 0;

	if (!m->is_unknown_argument || !m->column || m->column > strlen(selector))
		return;
	name = selector + m->column - 1;
	while (is_in_name(name[len]))
		len++;
	fargs_tracefs_events_init(&all, dir, NULL);
	for (i = 0; i < all.nr; i++) {
		const struct fargs_tracefs_event *event = &all.events[i];

		if (strcmp(event->name, tpoint) || !has_event_field(dir, event, name, len))
			continue;
		snprintf(m->text, sizeof(m->text), "%s has no argument '%.*s', but its formatted "
			 "event has a field of this name: use '-e %s:%s'", tpoint, (int)len, name,
			 event->system, event->name);
		break;
	}
	fargs_tracefs_events_deinit(&all);
}
