/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Creates tasks that are inside a traced function, and finds functions that are not called, for
 * tests of return probes.
 */
#ifndef FARGS_SELFTESTS_CALLS_H
#define FARGS_SELFTESTS_CALLS_H

#include <signal.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "returns.h"

static inline void on_signal(int signal)
{
	(void)signal;
}

/* Returns the pid of a child that is inside pause(2). */
static inline pid_t fork_paused(void)
{
	char path[64], state[256];
	pid_t pid = fork();
	int fd, tries;
	ssize_t n;

	if (!pid) {
		signal(SIGUSR1, on_signal);
		pause();
		_exit(0);
	}
	must(pid, "fork");
	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	for (tries = 0; tries < 2000; tries++) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = fd < 0 ? -1 : read(fd, state, sizeof(state) - 1);
		if (fd >= 0)
			close(fd);
		/* 34 is the system call number of pause(2). */
		if (n > 0 && !strncmp(state, "34 ", 3))
			return pid;
		usleep(1000);
	}
	must(-ETIMEDOUT, "a child does not pause");
	return -1;
}

static inline void wake(pid_t pid)
{
	must(kill(pid, SIGUSR1), "kill");
	must(waitpid(pid, NULL, 0), "waitpid");
}

/*
 * Finds up to @nr traceable functions that are not called during the tests. Returns how many were
 * found.
 */
static inline uint32_t find_idle(uint64_t *addrs, uint32_t nr)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	unsigned long long addr, last = 0;
	int fd = device_open();
	char line[512], name[256];
	uint32_t found = 0;
	struct maker m;
	char type;

	while (symbols && found < nr && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %c %255s", &addr, &type, name) != 3 || strchr(line, '[') ||
		    (type != 't' && type != 'T') || addr == last ||
		    (strncmp(name, "acpi_", 5) && strncmp(name, "pci_", 4) &&
		     strncmp(name, "drm_", 4) && strncmp(name, "xfrm_", 5)))
			continue;
		last = addr;
		maker_init(&m, addr, FARGS_LAYOUT_RETURN);
		if (!maker_add(fd, &m))
			addrs[found++] = addr;
		else if (last_error.text[0] && strstr(last_error.text, "at most"))
			break;
	}
	if (symbols)
		fclose(symbols);
	close(fd);
	return found;
}

/* Returns whether this kernel has no fprobe, or one that return probes cannot use. */
static inline bool is_old_kernel(void)
{
	struct utsname uts;

	uname(&uts);
	return !strncmp(uts.release, "6.1.", 4);
}

#endif
