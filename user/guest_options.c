// SPDX-License-Identifier: GPL-2.0-only
#include "guest_options.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "guest/qemu.h"
#include "guest/symbols.h"
#include "sym/ksyms.h"
#include "util/grow.h"

#define MODULES	",modules="

static void deinit(struct fargs_guest_option *option)
{
	free(option->name);
	free(option->path);
	free(option->modules);
}

/* Takes @option's strings, as far as there was memory for them. */
static int add(struct fargs_guest_options *o, struct fargs_guest_option *option,
	       struct fargs_error_text *err)
{
	struct fargs_guest_option *all = fargs_grow(o->options, o->nr, sizeof(*all));

	if (all)
		o->options = all;
	if (!all || !option->name || !option->path) {
		deinit(option);
		return fargs_fail(err, ENOMEM, "no memory for options");
	}
	all[o->nr++] = *option;
	return 0;
}

static bool is_pid(const char *text, size_t n)
{
	return strspn(text, "0123456789") >= n;
}

/* 0: there is no such process. */
static pid_t take_pid(const char *text)
{
	unsigned long pid;

	errno = 0;
	pid = strtoul(text, NULL, 10);
	return errno || pid > INT32_MAX ? 0 : pid;
}

int fargs_guest_options_add(struct fargs_guest_options *o, enum fargs_guest_option_kind kind,
			    const char *text, struct fargs_error_text *err)
{
	struct fargs_guest_option option = { .kind = kind };
	const char *path = text, *modules = NULL;
	size_t n = 0;

	if (kind == FARGS_GUEST_ONE) {
		path = strchr(text, '=');
		n = path ? path++ - text : 0;
		if (!n || !*path)
			return fargs_fail(err, EINVAL, "'%s' is not NAME=FILE or PID=FILE, like "
					  "1234=guest.kallsyms", text);
		option.pid = is_pid(text, n) ? take_pid(text) : 0;
		if (is_pid(text, n) && !option.pid)
			return fargs_fail(err, EINVAL, "there is no process %.*s", (int)n, text);
	}
	if (kind != FARGS_GUEST_MOUNT)
		modules = strstr(path, MODULES);
	if (modules && (modules == path || !modules[strlen(MODULES)]))
		return fargs_fail(err, EINVAL, "'%s' is not FILE[,modules=FILE], like "
				  "guest.kallsyms,modules=guest.modules", path);
	option.name = strndup(text, option.pid ? 0 : n);
	option.path = strndup(path, modules ? (size_t)(modules - path) : strlen(path));
	if (modules) {
		option.modules = strdup(modules + strlen(MODULES));
		if (!option.modules) {
			deinit(&option);
			return fargs_fail(err, ENOMEM, "no memory for options");
		}
	}
	return add(o, &option, err);
}

void fargs_guest_options_deinit(struct fargs_guest_options *o)
{
	while (o->nr)
		deinit(&o->options[--o->nr]);
	free(o->options);
	o->options = NULL;
}

/* 0; -ENOENT: they cannot be had, and it was said why; -ENOMEM. */
static int take(struct fargs_guests *guests, pid_t pid, const char *name, const char *path,
		const char *modules)
{
	struct fargs_error_text err = { "" };
	struct fargs_ksyms *syms = fargs_guest_symbols_read(path, &err);
	int ret;

	if (!syms) {
		cmd_fail("%s: addresses of that guest stay numbers", err.text);
		return -ENOENT;
	}
	ret = modules ? fargs_guest_symbols_read_modules(syms, modules, &err) : 0;
	if (ret)
		cmd_fail("%s: where modules end is not known", err.text);
	return fargs_guests_add(guests, pid, name, syms);
}

/* By what QEMU calls them, or else by what processes are called. */
static int take_named(const struct fargs_guest_option *option, const char *proc,
		      struct fargs_guests *guests)
{
	pid_t *pids = NULL;
	ssize_t nr = proc ? fargs_qemu_find(proc, option->name, &pids) : 0, i;
	int ret = 0;

	if (nr <= 0)
		ret = take(guests, 0, option->name, option->path, option->modules);
	/* What is wrong with the file is said once. */
	for (i = 0; i < nr && !ret; i++)
		ret = take(guests, pids[i], option->name, option->path, option->modules);
	free(pids);
	return ret;
}

static int take_mounted(const char *dir, pid_t pid, struct fargs_guests *guests)
{
	char *path = NULL, *modules = NULL;
	int ret = -ENOMEM;

	if (asprintf(&path, "%s/%d/proc/kallsyms", dir, (int)pid) < 0) {
		path = NULL;
		goto out;
	}
	if (asprintf(&modules, "%s/%d/proc/modules", dir, (int)pid) < 0) {
		modules = NULL;
		goto out;
	}
	/* A copy may do without. */
	ret = take(guests, pid, "", path, access(modules, F_OK) ? NULL : modules);
out:
	free(modules);
	free(path);
	return ret;
}

/* Its directories are called after processes. */
static int take_mount(const char *path, struct fargs_guests *guests)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	unsigned int nr = 0;
	int ret = 0;
	pid_t pid;

	if (!dir) {
		cmd_fail("cannot read %s: %s: addresses of guests stay numbers", path,
			 strerror(errno));
		return 0;
	}
	while (ret != -ENOMEM && (entry = readdir(dir))) {
		pid = is_pid(entry->d_name, strlen(entry->d_name)) ? take_pid(entry->d_name) : 0;
		if (!pid)
			continue;
		nr++;
		ret = take_mounted(path, pid, guests);
	}
	closedir(dir);
	if (!nr)
		cmd_fail("%s: no directory in it is called after a process, like 1234: addresses "
			 "of guests stay numbers", path);
	return ret;
}

int fargs_guest_options_read(const struct fargs_guest_options *o, const char *proc,
			     struct fargs_guests *guests)
{
	const struct fargs_guest_option *option;
	int ret = 0;
	size_t i;

	for (i = 0; i < o->nr && ret != -ENOMEM; i++) {
		option = &o->options[i];
		if (option->kind == FARGS_GUEST_MOUNT)
			ret = take_mount(option->path, guests);
		else if (option->name[0])
			ret = take_named(option, proc, guests);
		else
			ret = take(guests, option->pid, "", option->path, option->modules);
	}
	return ret == -ENOMEM ? ret : 0;
}
