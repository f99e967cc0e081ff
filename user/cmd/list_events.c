// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/list_events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "cmd/screen/cmd.h"

/*
 * Prefix of the names of common fields, which all events have. perf and tracefs show these fields
 * separately.
 */
#define COMMON	"common_"

/*
 * Returns the declaration of the field that @line describes, and sets *@n to its length without the
 * semicolon. Returns NULL if @line does not describe a field, or describes a common field.
 */
static const char *field_of(const char *line, size_t *n)
{
	static const char key[] = "\tfield:";
	const char *name;
	size_t i;

	if (strncmp(line, key, strlen(key)))
		return NULL;
	line += strlen(key);
	*n = strcspn(line, ";\n");
	for (i = *n, name = line; i && name == line; i--)
		if (line[i - 1] == ' ')
			name = line + i;
	return strncmp(name, COMMON, strlen(COMMON)) ? line : NULL;
}

static void print_fields(const char *format)
{
	const char *comma = "", *field;
	size_t n;

	putchar('(');
	for (; format; format = strchr(format, '\n'), format += !!format) {
		field = field_of(format, &n);
		if (!field)
			continue;
		printf("%s%.*s", comma, (int)n, field);
		comma = ", ";
	}
	putchar(')');
}

static int print_event(const struct fargs_event_selection *c,
		       const struct fargs_tracefs_event *event, bool has_proto)
{
	char *format;
	size_t size;

	printf("%s:%s", event->system, event->name);
	if (has_proto) {
		format = fargs_tracefs_read(c->dir, event, "format", &size);
		if (!format)
			return cmd_fail("cannot read the format of '%s:%s': %s", event->system,
					event->name, strerror(errno));
		print_fields(format);
		free(format);
	}
	putchar('\n');
	return 0;
}

int fargs_list_events(const struct fargs_event_rules *actives, bool has_proto)
{
	struct fargs_event_selection c = { };
	struct fargs_error_text err;
	size_t i;
	int ret = 0;

	if (!actives->nr)
		return 0;
	if (fargs_event_selection_init(&c, actives, NULL, &err))
		ret = cmd_fail("%s", err.text);
	for (i = 0; !ret && i < c.nr; i++)
		ret = print_event(&c, c.matches[i].event, has_proto);
	fargs_event_selection_deinit(&c);
	if (fflush(stdout) && errno != EPIPE)
		ret = cmd_fail("cannot write: %s", strerror(errno));
	return ret;
}
