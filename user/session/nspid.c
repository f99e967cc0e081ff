// SPDX-License-Identifier: GPL-2.0-only
#include "session/nspid.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Inode number of the initial pid namespace: the kernel's PROC_PID_INIT_INO. */
#define INITIAL_PID_NS	0xeffffffcu

pid_t fargs_nspid_get(pid_t tid)
{
	/*
	 * Large enough for the lines of /proc/PID/status up to NSpid, unless the task has hundreds
	 * of supplementary groups (line Groups).
	 */
	char path[32], text[4096], *line, *end;
	pid_t inner = 0;
	ssize_t n;
	int fd, nr = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return FARGS_NSPID_GONE;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return FARGS_NSPID_GONE;
	text[n] = 0;
	line = strstr(text, "\nNSpid:");
	if (!line)
		return FARGS_NSPID_GONE;
	for (line += strlen("\nNSpid:"); *line == '\t'; line = end, nr++) {
		inner = strtol(line + 1, &end, 10);
		/*
		 * A number at the end of the text, without a newline after it, may be truncated.
		 */
		if (end == line + 1 || !*end)
			return FARGS_NSPID_GONE;
	}
	return nr > 1 ? inner : 0;
}

bool fargs_nspid_is_initial(void)
{
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino == INITIAL_PID_NS;
}

int fargs_nspid_take_tasks(struct fargs_meta *meta)
{
	struct fargs_nspid nspid = { };
	size_t i;

	for (i = 0; i < meta->nr_tasks; i++) {
		nspid.tid = meta->tasks[i].tid;
		nspid.ns_tid = fargs_nspid_get(nspid.tid);
		if (nspid.ns_tid && fargs_meta_add_nspid(meta, &nspid))
			return -ENOMEM;
	}
	return 0;
}
