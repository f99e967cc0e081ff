// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/module_path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "kernel/btf/tree.h"

#define PATH_BYTES	4096

/* Does @line begin with the path of @module's file? Truncates @line after the path. */
static bool is_of(char *line, const char *module)
{
	char name[64];

	line[strcspn(line, ":\n")] = '\0';
	fargs_btf_module_name(name, sizeof(name), line);
	return !strcmp(name, module);
}

/*
 * Returns the path of @module's file according to @list, a file in @dir. Its lines begin with a
 * path, which is absolute or relative to @dir.
 */
static char *find_in(const char *dir, const char *list, const char *module)
{
	char path[PATH_BYTES], *text, *line, *found = NULL;
	size_t size;

	snprintf(path, sizeof(path), "%s/%s", dir, list);
	text = fargs_file_read(path, &size);
	for (line = text; line && *line && !found;) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		if (is_of(line, module)) {
			snprintf(path, sizeof(path), *line == '/' ? "%.0s%s" : "%s/%s", dir,
				 line);
			found = strdup(path);
		}
		line = next;
	}
	free(text);
	return found;
}

char *fargs_module_path(const char *dir, const char *module, struct fargs_error_text *err)
{
	char below[PATH_BYTES / 2], *path, *builtin;
	struct utsname uts;

	uname(&uts);
	snprintf(below, sizeof(below), "%s/%s", dir, uts.release);
	path = find_in(below, "modules.dep", module);
	if (path)
		return path;
	builtin = find_in(below, "modules.builtin", module);
	if (builtin)
		fargs_fail(err, ENOENT, "module '%s' is built into the kernel: write its functions "
			   "as 'vmlinux:NAME'", module);
	else
		fargs_fail(err, ENOENT, "there is no module '%s', neither loaded nor in "
			   "'%s'", module,
			   below);
	free(builtin);
	return NULL;
}
