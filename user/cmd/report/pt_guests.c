// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_guests.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/options/guest.h"

static int no_memory(struct fargs_error_text *err)
{
	return fargs_fail(err, ENOMEM, "out of memory");
}

static int add_files(struct fargs_pt_report_guests *g, const struct fargs_pt_guest_files *files)
{
	struct fargs_pt_guest_files *to = fargs_array_add(g->options.files, g->options.nr);

	if (!to)
		return -ENOMEM;
	*to = *files;
	return 0;
}

/* Returns "@dir/@pid@name", which @g owns; NULL: out of memory. */
static char *path_of(struct fargs_pt_report_guests *g, const char *dir, long pid, const char *name)
{
	char **to = fargs_array_add(g->paths, g->nr_paths);

	if (!to)
		return NULL;
	if (asprintf(to, "%s/%ld%s", dir, pid, name) >= 0)
		return *to;
	g->nr_paths--;
	return NULL;
}

static int add_mounted(struct fargs_pt_report_guests *g, const char *dir, long pid)
{
	const char *modules = path_of(g, dir, pid, "/proc/modules");
	const struct fargs_pt_guest_files files = {
		.pid = (int32_t)pid, .root = path_of(g, dir, pid, ""),
		.kallsyms = path_of(g, dir, pid, "/proc/kallsyms"),
		.modules = modules && !access(modules, F_OK) ? modules : NULL,
	};

	return modules && files.kallsyms && files.root ? add_files(g, &files) : -ENOMEM;
}

/* Adds the guests in a directory whose subdirectories are named by the pids of hypervisors. */
static int add_mount(struct fargs_pt_report_guests *g, const char *dir,
		     struct fargs_error_text *err)
{
	struct dirent **names;
	int nr = scandir(dir, &names, NULL, alphasort), ret = 0;
	size_t before = g->options.nr;
	char *end;
	long pid;

	if (nr < 0)
		return fargs_fail(err, errno, "cannot read '%s': %s", dir, strerror(errno));
	while (nr--) {
		pid = strtol(names[nr]->d_name, &end, 10);
		if (!ret && !*end && pid > 0 && pid <= INT32_MAX)
			ret = add_mounted(g, dir, pid);
		free(names[nr]);
	}
	free(names);
	if (!ret && g->options.nr == before)
		return fargs_fail(err, ENOENT, "'%s' has no directory named by a PID, such as 1234",
				  dir);
	return ret ? no_memory(err) : 0;
}

static int add_option(struct fargs_pt_report_guests *g, const struct fargs_guest_option *option,
		      struct fargs_error_text *err)
{
	const struct fargs_pt_guest_files files = {
		.pid = option->pid, .name = option->name, .kallsyms = option->path,
		.modules = option->modules,
	};

	if (option->kind == FARGS_GUEST_MOUNT)
		return add_mount(g, option->path, err);
	return add_files(g, &files) ? no_memory(err) : 0;
}

int fargs_pt_report_guests_find(struct fargs_pt_report_guests *g,
				const struct fargs_pt_report_options *o,
				struct fargs_error_text *err)
{
	const struct fargs_pt_guest_files files = {
		.kallsyms = o->guest_kallsyms, .modules = o->guest_modules,
		.vmlinux = o->guest_vmlinux,
	};
	size_t i;
	int ret = 0;

	g->options.has_code = o->has_guest_code;
	for (i = 0; !ret && o->guests && i < o->guests->nr; i++)
		ret = add_option(g, &o->guests->options[i], err);
	if (!ret && (files.kallsyms || files.vmlinux) && add_files(g, &files))
		ret = no_memory(err);
	return ret;
}

void fargs_pt_report_guests_deinit(struct fargs_pt_report_guests *g)
{
	while (g->nr_paths)
		free(g->paths[--g->nr_paths]);
	free(g->paths);
	free(g->options.files);
}
