// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"

char *fargs_perf_config_home(const char *name)
{
	const char *home = getenv("HOME");
	char *path;

	if (strncmp(name, "~/", 2))
		return strdup(name);
	if (!home || !*home)
		return strdup("");
	return asprintf(&path, "%s/%s", home, name + 2) < 0 ? NULL : path;
}

/* Removes blanks at both ends of @text. */
static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

/* Removes a comment. In quotation marks, there is none. */
static void cut_comment(char *line)
{
	bool is_quoted = false;

	for (; *line; line++) {
		if (*line == '"')
			is_quoted = !is_quoted;
		if (!is_quoted && (*line == '#' || *line == ';'))
			*line = '\0';
		if (!*line)
			return;
	}
}

/* Names of sections and variables are the same in upper and lower case. */
static char *lower(char *name)
{
	char *c;

	for (c = name; *c; c++)
		*c = tolower((unsigned char)*c);
	return name;
}

static char *unquote(char *value)
{
	if (*value == '"')
		value++;
	value[strcspn(value, "\"")] = '\0';
	return value;
}

/* If @line begins with a section, sets *@section. Returns what follows. */
static char *take_section(char *line, char **section)
{
	char *end;

	if (*line != '[')
		return line;
	end = strchr(line, ']');
	if (!end)
		return line;
	*end = '\0';
	*section = lower(trim(line + 1));
	return trim(end + 1);
}

static int read_file(const char *path, fargs_perf_config_fn fn, void *arg)
{
	__cleanup_free char *text = NULL;
	struct fargs_perf_variable v = { .path = path };
	char *line, *next, *value, *section = NULL;
	size_t size;
	int ret = 0;

	text = fargs_file_read(path, &size);
	for (next = text; !ret && next && (line = strsep(&next, "\n"));) {
		cut_comment(line);
		line = take_section(trim(line), &section);
		if (!*line || !section)
			continue;
		value = strchr(line, '=');
		if (value)
			*value++ = '\0';
		v.section = section;
		v.name = lower(trim(line));
		v.value = value ? unquote(trim(value)) : NULL;
		ret = fn(arg, &v);
	}
	return ret;
}

int fargs_perf_config_read(fargs_perf_config_fn fn, void *arg)
{
	__cleanup_free char *user = NULL;
	const char *config = getenv("PERF_CONFIG");
	int ret;

	if (config && *config)
		return read_file(config, fn, arg);
	user = fargs_perf_config_home("~/.perfconfig");
	if (!user)
		return -ENOMEM;
	ret = read_file("/etc/perfconfig", fn, arg);
	return ret ? ret : read_file(user, fn, arg);
}
