// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/guest.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "cmd/screen/cmd.h"
#include "kernel/guest/qemu.h"
#include "kernel/guest/symbols.h"
#include "kernel/sym/ksyms.h"
#include "uapi/fargs_record.h"

#define MODULES	",modules="

static void deinit(struct fargs_guest_option *option)
{
	free(option->name);
	free(option->path);
	free(option->modules);
}

/* Refuses options that give two symbol tables for the same guest. */
static int check_twice(const struct fargs_guest_options *o,
		       const struct fargs_guest_option *option, struct fargs_error_text *err)
{
	size_t i;

	for (i = 0; i < o->nr; i++) {
		const struct fargs_guest_option *other = &o->options[i];

		if (option->kind == FARGS_GUEST_MOUNT || other->kind != option->kind ||
		    other->pid != option->pid || strcmp(other->name, option->name))
			continue;
		if (option->kind == FARGS_GUEST_ANY)
			return fargs_fail(err, EINVAL, "'%s' and '%s': there can be only one file "
					  "for all other guests",
					  other->path, option->path);
		if (option->pid)
			return fargs_fail(err, EINVAL, "process %d is given twice, with '%s' and "
					  "'%s'", (int)option->pid, other->path, option->path);
		return fargs_fail(err, EINVAL, "'%s' is given twice, with '%s' and '%s'",
				  option->name, other->path, option->path);
	}
	return 0;
}

/*
 * Appends @option, and takes ownership of its strings, also on failure. If the name or path is NULL
 * because the caller ran out of memory, returns -ENOMEM.
 */
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
	if (check_twice(o, option, err)) {
		deinit(option);
		return -EINVAL;
	}
	all[o->nr++] = *option;
	return 0;
}

static bool is_pid(const char *text, size_t n)
{
	return strspn(text, "0123456789") >= n;
}

/* Returns the pid in @text, or 0 if @text cannot be a pid. */
static pid_t take_pid(const char *text)
{
	unsigned long pid;

	errno = 0;
	pid = strtoul(text, NULL, 10);
	return errno || pid > INT32_MAX ? 0 : pid;
}

static int add_text(struct fargs_guest_options *o, enum fargs_guest_option_kind kind,
		    const char *text, struct fargs_error_text *err)
{
	struct fargs_guest_option option = { .kind = kind };
	const char *path = text, *modules = NULL;
	size_t n = 0;

	if (kind == FARGS_GUEST_ONE) {
		path = strchr(text, '=');
		n = path ? path++ - text : 0;
		if (!n || !*path)
			return fargs_fail(err, EINVAL, "'%s' is not NAME=FILE or PID=FILE: write "
					  "it like 1234=guest.kallsyms", text);
		option.pid = is_pid(text, n) ? take_pid(text) : 0;
		if (is_pid(text, n) && !option.pid)
			return fargs_fail(err, EINVAL, "there is no process %.*s", (int)n, text);
	}
	if (kind != FARGS_GUEST_MOUNT)
		modules = strstr(path, MODULES);
	if (modules && (modules == path || !modules[strlen(MODULES)]))
		return fargs_fail(err, EINVAL, "'%s' is not FILE[,modules=FILE]: write it like "
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

static int take_guest(void *to, const char *value, struct fargs_error_text *err)
{
	return add_text(to, FARGS_GUEST_ONE, value, err);
}

static int take_guestmount(void *to, const char *value, struct fargs_error_text *err)
{
	return add_text(to, FARGS_GUEST_MOUNT, value, err);
}

static int take_guest_kallsyms(void *to, const char *value, struct fargs_error_text *err)
{
	return add_text(to, FARGS_GUEST_ANY, value, err);
}

const struct fargs_option fargs_guest_option_table[] = {
	{ 0, "guest", "NAME|PID=FILE[,modules=FILE]", "in kvm events, name the functions of this "
	  "process's guest from this copy of its /proc/kallsyms, and optionally its /proc/modules",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_FILES, .take = take_guest },
	{ 0, "guestmount", "DIRECTORY", "like --guest, for all processes that have a "
	  "PID/proc/kallsyms in DIRECTORY",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_DIRECTORIES, .take = take_guestmount },
	{ 0, "guest-kallsyms", "FILE[,modules=FILE]", "like --guest, for all other guests",
	  FARGS_OPTION_REPEATS, .offer = FARGS_OFFER_FILES, .take = take_guest_kallsyms },
	FARGS_OPTION_END
};

const char *fargs_guest_options_name(const struct fargs_guest_options *o)
{
	static const char *const names[] = {
		[FARGS_GUEST_ONE] = "'--guest'", [FARGS_GUEST_ANY] = "'--guest-kallsyms'",
		[FARGS_GUEST_MOUNT] = "'--guestmount'",
	};

	return o->nr ? names[o->options[0].kind] : NULL;
}

void fargs_guest_options_deinit(struct fargs_guest_options *o)
{
	while (o->nr)
		deinit(&o->options[--o->nr]);
	free(o->options);
	o->options = NULL;
}

static struct fargs_guest *find(const struct fargs_guests *guests, pid_t pid, const char *name)
{
	size_t i;

	for (i = 0; i < guests->nr; i++)
		if (guests->guests[i].pid == pid && !strcmp(guests->guests[i].name, name))
			return &guests->guests[i];
	return NULL;
}

static struct fargs_guest *find_pid(const struct fargs_guests *guests, pid_t pid)
{
	size_t i;

	for (i = 0; i < guests->nr; i++)
		if (guests->guests[i].pid == pid)
			return &guests->guests[i];
	return NULL;
}

static bool is_running(const char *proc, pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%d", proc, (int)pid);
	return !access(path, F_OK);
}

/* Is the process called @name? Ignores the part of @name that the kernel would truncate. */
static bool is_called(const char *proc, const char *pid, const char *name)
{
	char path[512], *comm;
	bool is_same;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s/comm", proc, pid);
	comm = fargs_file_read(path, &n);
	if (!comm)
		return false;
	if (n && comm[n - 1] == '\n')
		comm[n - 1] = '\0';
	is_same = !strncmp(comm, name, FARGS_COMM_LEN - 1);
	free(comm);
	return is_same;
}

static bool is_any_called(const char *proc, const char *name)
{
	DIR *dir = opendir(proc);
	bool is_any = !dir;
	struct dirent *entry;

	while (!is_any && (entry = readdir(dir)))
		is_any = is_pid(entry->d_name, strlen(entry->d_name)) &&
			 is_called(proc, entry->d_name, name);
	if (dir)
		closedir(dir);
	return is_any;
}

/*
 * Adds a guest with the symbols in the file @path. Returns 0; -ENOENT if @path cannot be read,
 * after printing an error; or -ENOMEM.
 */
static int take(struct fargs_guests *guests, pid_t pid, const char *name, const char *path,
		const char *modules)
{
	struct fargs_error_text err = { "" };
	struct fargs_ksyms *syms = fargs_guest_symbols_read(path, &err);
	int ret;

	if (!syms) {
		cmd_fail("%s: addresses of this guest are shown as numbers", err.text);
		return -ENOENT;
	}
	ret = modules ? fargs_guest_symbols_read_modules(syms, modules, &err) : 0;
	if (ret)
		cmd_fail("%s: the sizes of the guest's modules are not known", err.text);
	return fargs_guests_add(guests, pid, name, syms);
}

/* Adds a guest that was given by --guest. Returns 0, -ENOENT or -ENOMEM, as take() does. */
static int take_asked(const struct fargs_guest_option *option, pid_t pid,
		      struct fargs_guests *guests)
{
	const char *name = option->name;
	struct fargs_guest *old = pid ? find_pid(guests, pid) : NULL, *guest;
	int ret;

	/*
	 * The process was given twice, by its pid and by QEMU's name for it; check_twice() cannot
	 * detect that.
	 */
	if (old && old->is_asked)
		cmd_fail("'--guest': process %d is given twice: '%s' is "
			 "used", (int)pid, option->path);
	ret = take(guests, pid, name, option->path, option->modules);
	guest = ret ? NULL : find(guests, pid, name);
	if (guest)
		guest->is_asked = true;
	return ret;
}

/*
 * Warns if the process that @option names is not running. A name may also belong to a process that
 * starts later.
 */
static void print_absent(const struct fargs_guest_option *option, const char *proc)
{
	if (option->pid && !is_running(proc, option->pid))
		cmd_fail("'--guest': there is no process %d", (int)option->pid);
	else if (!option->pid && !is_any_called(proc, option->name))
		cmd_fail("'--guest': '%s' is neither a running QEMU guest nor a running process: "
			 "only guests that start later can match", option->name);
}

/*
 * Adds the guests with the QEMU name in @option. If there are none, adds a guest without a pid,
 * which will be identified by the name of its process.
 */
static int take_named(const struct fargs_guest_option *option, const char *proc,
		      struct fargs_guests *guests)
{
	pid_t *pids = NULL;
	ssize_t nr = proc ? fargs_qemu_find(proc, option->name, &pids) : 0, i;
	int ret = 0;

	if (nr <= 0) {
		if (proc)
			print_absent(option, proc);
		ret = take_asked(option, 0, guests);
	}
	/* Stop at the first error, so that it is reported only once. */
	for (i = 0; i < nr && !ret; i++)
		ret = take_asked(option, pids[i], guests);
	free(pids);
	return ret;
}

static int take_numbered(const struct fargs_guest_option *option, const char *proc,
			 struct fargs_guests *guests)
{
	if (proc)
		print_absent(option, proc);
	return take_asked(option, option->pid, guests);
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
	/* The file with the guest's modules is optional. */
	ret = take(guests, pid, "", path, access(modules, F_OK) ? NULL : modules);
out:
	free(modules);
	free(path);
	return ret;
}

/* Adds the guests in a --guestmount directory, whose subdirectories are named by pid. */
static int take_mount(const char *path, struct fargs_guests *guests)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	unsigned int nr = 0;
	int ret = 0;
	pid_t pid;

	if (!dir) {
		cmd_fail("cannot read '%s': %s: addresses of guests are shown as numbers", path,
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
		cmd_fail("'%s' has no directory named by a PID, such as 1234: addresses of "
			 "guests are shown as numbers", path);
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
		else if (option->pid)
			ret = take_numbered(option, proc, guests);
		else
			ret = take(guests, option->pid, "", option->path, option->modules);
	}
	return ret == -ENOMEM ? ret : 0;
}

void fargs_guest_options_tell(const struct fargs_guests *guests)
{
	size_t i;

	for (i = 0; i < guests->nr; i++) {
		const struct fargs_guest *guest = &guests->guests[i];

		if (!guest->is_asked || guest->is_met)
			continue;
		if (guest->pid)
			cmd_fail("'--guest': no event that was shown is from process %d",
				 (int)guest->pid);
		else
			cmd_fail("'--guest': no event that was shown is from a process named '%s'",
				 guest->name);
	}
}
