// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/guest/qemu.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

/* Distributions name QEMU's program qemu-system-x86_64, qemu-kvm or kvm. */
static bool is_qemu(const char *program)
{
	const char *base = strrchr(program, '/');

	base = base ? base + 1 : program;
	return !strncmp(base, "qemu-", 5) || !strcmp(base, "kvm");
}

/*
 * Copies @from, up to the next single comma, to @to, which has room for all of @from. In @from, a
 * comma within the value is written as two commas. Returns the text after the single comma.
 */
static const char *take_value(const char *from, char *to)
{
	for (; *from && (*from != ',' || from[1] == ','); from++) {
		if (*from == ',')
			from++;
		*to++ = *from;
	}
	*to = '\0';
	return *from ? from + 1 : from;
}

/*
 * Parses the argument of -name, and returns the guest's name: the last value of "guest=", which may
 * be omitted in the first item. The caller frees the name.
 */
static char *take_name(const char *words)
{
	static const char key[] = "guest=";
	char *value = malloc(strlen(words) + 1), *name = NULL;
	const char *s = words, *found;

	while (value && *s) {
		found = !strncmp(s, key, strlen(key)) ? s + strlen(key) :
			s == words && !memchr(s, '=', strcspn(s, ",")) ? s : NULL;
		s = take_value(found ? found : s, value);
		if (!found)
			continue;
		free(name);
		name = strdup(value);
	}
	free(value);
	if (!name || *name)
		return name;
	free(name);
	return NULL;
}

char *fargs_qemu_name(const char *cmdline, size_t bytes)
{
	const char *word = cmdline, *end = cmdline + bytes, *next;
	char *name = NULL;

	if (!bytes || end[-1] || !is_qemu(word))
		return NULL;
	for (word += strlen(word) + 1; word < end; word = next) {
		next = word + strlen(word) + 1;
		if (next >= end || (strcmp(word, "-name") && strcmp(word, "--name")))
			continue;
		free(name);
		name = take_name(next);
		next += strlen(next) + 1;
	}
	return name;
}

static bool is_of(const char *proc, pid_t pid, const char *name)
{
	char path[4096], *cmdline, *found;
	bool is_same = false;
	size_t bytes;

	if (snprintf(path, sizeof(path), "%s/%d/cmdline", proc, (int)pid) >= (int)sizeof(path))
		return false;
	cmdline = fargs_file_read(path, &bytes);
	if (!cmdline)
		return false;
	found = fargs_qemu_name(cmdline, bytes);
	if (found)
		is_same = !strcmp(found, name);
	free(found);
	free(cmdline);
	return is_same;
}

ssize_t fargs_qemu_find(const char *proc, const char *name, pid_t **pids)
{
	DIR *dir = opendir(proc);
	struct dirent *entry;
	pid_t *to;
	long pid;
	size_t nr = 0;
	char *end;

	*pids = NULL;
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		pid = strtol(entry->d_name, &end, 10);
		if (*end || pid <= 0 || pid > INT32_MAX || !is_of(proc, pid, name))
			continue;
		to = fargs_array_add(*pids, nr);
		if (!to) {
			closedir(dir);
			return -ENOMEM;
		}
		*to = pid;
	}
	closedir(dir);
	return nr;
}
