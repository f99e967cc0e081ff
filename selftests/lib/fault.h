/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the nth allocation, or copy from or to user space, during a system call of this thread
 * fail, by means of
 *
 *	/proc/thread-self/fail-nth	of kernels with CONFIG_FAULT_INJECTION, FAILSLAB,
 *					FAIL_PAGE_ALLOC, FAULT_INJECTION_USERCOPY and
 *					FAULT_INJECTION_DEBUG_FS
 *	/proc/fargs_fault		of the module selftests/fault, on other kernels
 *
 * Failures can be restricted to calls made by given code, directly or not. With fail-nth, this
 * requires CONFIG_FAULT_INJECTION_STACKTRACE_FILTER.
 *
 * The callers of a failed function are in the kernel log, or in /proc/fargs_fault. fault_end()
 * reads the functions of fargs among them.
 */
#ifndef FARGS_SELFTESTS_FAULT_H
#define FARGS_SELFTESTS_FAULT_H

#include <sys/mount.h>

#include "session.h"

#define FAULT_DEBUG	"/sys/kernel/debug/"
#define FAULT_NTH	"/proc/thread-self/fail-nth"
#define FAULT_MODULE	"/proc/fargs_fault"
#define FAULT_DEPTH	16
#define FAULT_NOTES	128

static const char *const fault_kinds[] = { "failslab", "fail_page_alloc", "fail_usercopy" };

/* The last failure: what failed, and the functions of fargs that led to it, innermost first. */
static struct fault {
	char kind[32];
	char callers[FAULT_DEPTH][64];
	unsigned int nr;
	char kernel[3][64];	/* the kernel's functions that fargs called, outermost first */
	unsigned int notes[FAULT_NOTES];	/* places reached later: selftests/fault/places */
	unsigned int nr_notes;
} fault;

static struct {
	int nth, log;
	bool is_module;		/* FAULT_MODULE is used */
	bool is_filtered;
} fault_fds = { .nth = -1, .log = -1 };

static inline bool fault_write(const char *kind, const char *name, const char *value)
{
	char path[128];
	int fd;
	bool is_done;

	snprintf(path, sizeof(path), FAULT_DEBUG "%s/%s", kind, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	is_done = fd >= 0 && write(fd, value, strlen(value)) > 0;
	if (fd >= 0)
		close(fd);
	return is_done;
}

/* Enables fault injection. Skips the test if not every kind of failure can be injected. */
static inline void fault_need(void)
{
	size_t i;

	if (access(FAULT_NTH, W_OK)) {
		if (access(FAULT_MODULE, F_OK) && system("modprobe -q fargs_fault") == -1)
			ktap_skip_all("modprobe cannot be run");
		if (access(FAULT_MODULE, F_OK))
			ktap_skip_all("neither the kernel nor module fargs_fault injects faults");
		fault_fds.is_module = true;
		return;
	}
	if (access(FAULT_DEBUG "failslab", F_OK))
		mount("debugfs", FAULT_DEBUG, "debugfs", 0, NULL);
	for (i = 0; i < 3; i++) {
		if (!fault_write(fault_kinds[i], "verbose", "2"))
			ktap_skip_all("the kernel has no " FAULT_DEBUG "%s", fault_kinds[i]);
		/* Some of these files exist only for some kinds of failures. */
		fault_write(fault_kinds[i], "ignore-gfp-wait", "N");
		fault_write(fault_kinds[i], "ignore-gfp-highmem", "N");
		fault_write(fault_kinds[i], "cache-filter", "N");
		fault_write(fault_kinds[i], "min-order", "0");
		fault_write(fault_kinds[i], "stacktrace-depth", "32");
	}
}

/*
 * Restricts failures to calls made by code from @start to @end, directly or not. Returns whether
 * the kernel supports this.
 */
static inline bool fault_filter(uint64_t start, uint64_t end)
{
	bool is_done = true;
	char text[64];
	size_t i;
	int fd;

	if (fault_fds.is_module) {
		fd = open(FAULT_MODULE, O_WRONLY | O_CLOEXEC);
		snprintf(text, sizeof(text), "range %llx %llx", (unsigned long long)start,
			 (unsigned long long)end);
		must(fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0, FAULT_MODULE);
		close(fd);
		fault_fds.is_filtered = true;
		return true;
	}
	for (i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "%#llx", (unsigned long long)end);
		is_done &= fault_write(fault_kinds[i], "require-end", text);
		snprintf(text, sizeof(text), "%#llx", (unsigned long long)start);
		is_done &= fault_write(fault_kinds[i], "require-start", text);
	}
	fault_fds.is_filtered = is_done;
	return is_done;
}

/* Restricts failures to calls made by the code of a loaded module, directly or not. */
static inline bool fault_filter_module(const char *module)
{
	unsigned long long addr, start = ~0ull, end = 0;
	FILE *symbols = fopen("/proc/kallsyms", "re");
	char line[512], owner[64], type;

	while (symbols && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %c %*s [%63[^]]", &addr, &type, owner) != 3 ||
		    (type != 't' && type != 'T') || strcmp(owner, module))
			continue;
		start = addr < start ? addr : start;
		end = addr > end ? addr : end;
	}
	if (symbols)
		fclose(symbols);
	/* Assume that the last function is shorter than a page. */
	return end && fault_filter(start, end + 4096);
}

/* Makes the @nth allocation or copy from now on fail. Counting stops at fault_end(). */
static inline void fault_begin(unsigned int nth)
{
	char text[32];

	if (fault_fds.nth < 0)
		fault_fds.nth = open(fault_fds.is_module ? FAULT_MODULE : FAULT_NTH,
				     O_RDWR | O_CLOEXEC);
	if (fault_fds.is_module) {
		snprintf(text, sizeof(text), "nth %u", nth);
		must(fault_fds.nth < 0 || write(fault_fds.nth, text, strlen(text)) < 0 ? -errno : 0,
		     FAULT_MODULE);
		return;
	}
	if (fault_fds.log < 0)
		fault_fds.log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	must(fault_fds.nth < 0 || fault_fds.log < 0 ? -errno : 0, FAULT_NTH);
	lseek(fault_fds.log, 0, SEEK_END);
	snprintf(text, sizeof(text), "%u", nth);
	must(pwrite(fault_fds.nth, text, strlen(text), 0) < 0 ? -errno : 0, FAULT_NTH);
}

/*
 * Parses a line of the kernel log, without its prefix up to ";":
 * "name failslab, ..." or " function+0x1/0x2 [fargs]". Uncertain callers begin with "?", and are
 * ignored.
 */
static inline void fault_read_line(const char *line)
{
	char name[64], module[16];
	unsigned int offset, note;

	if (sscanf(line, "name %31[^,]", name) == 1 || sscanf(line, "hit %31s", name) == 1) {
		memset(&fault, 0, sizeof(fault));
		strcpy(fault.kind, name);
	} else if (sscanf(line, "note %u", &note) == 1) {
		if (fault.nr_notes < FAULT_NOTES)
			fault.notes[fault.nr_notes++] = note;
	} else if (sscanf(line, " %47[A-Za-z0-9_.]+%x/%*x [%15[^]]", name, &offset, module) == 3 &&
		   !strcmp(module, "fargs") && fault.nr < FAULT_DEPTH) {
		snprintf(fault.callers[fault.nr++], sizeof(fault.callers[0]), "%s", name);
	} else if (!fault.nr && sscanf(line, " %47[A-Za-z0-9_.]+%x/%*x", name, &offset) == 2) {
		memmove(fault.kernel[1], fault.kernel[0], sizeof(fault.kernel) - sizeof(name));
		snprintf(fault.kernel[0], sizeof(fault.kernel[0]), "%s", name);
	}
}

static inline bool fault_end_module(void)
{
	bool is_hit = false;
	char line[256];
	FILE *file;

	/* End the injection before opening the file, which allocates memory. */
	must(write(fault_fds.nth, "end", 3) < 0 ? -errno : 0, FAULT_MODULE);
	file = fopen(FAULT_MODULE, "re");
	must(file ? 0 : -errno, FAULT_MODULE);
	memset(&fault, 0, sizeof(fault));
	while (fgets(line, sizeof(line), file)) {
		is_hit |= !strncmp(line, "hit ", 4);
		fault_read_line(line);
	}
	fclose(file);
	return is_hit;
}

/* Returns whether a call has failed since fault_begin(), and describes it in @fault. */
static inline bool fault_end(void)
{
	char text[16] = "", line[8192], *message;
	bool is_hit;
	ssize_t n;

	if (fault_fds.is_module)
		return fault_end_module();
	/*
	 * Reading and writing this file copies from and to user space, so these calls may fail
	 * instead.
	 */
	n = pread(fault_fds.nth, text, sizeof(text) - 1, 0);
	is_hit = n > 0 && strtoul(text, NULL, 10) == 0;
	if (pwrite(fault_fds.nth, "0", 1, 0) < 0)
		must(pwrite(fault_fds.nth, "0", 1, 0) < 0 ? -errno : 0, FAULT_NTH);
	memset(&fault, 0, sizeof(fault));
	while (is_hit && (n = read(fault_fds.log, line, sizeof(line) - 1)) > 0) {
		line[n] = '\0';
		message = strchr(line, ';');
		if (!message)
			continue;
		message[strcspn(message, "\n")] = '\0';
		fault_read_line(message + 1);
	}
	return is_hit;
}

/*
 * Returns whether @function called the function that failed, directly or not. GCC may have added a
 * suffix to its name (FUNCTION.isra.0).
 */
static inline bool fault_has_caller(const char *function)
{
	unsigned int i;

	for (i = 0; i < fault.nr; i++) {
		size_t len = strcspn(fault.callers[i], ".");

		if (len == strlen(function) && !strncmp(fault.callers[i], function, len))
			return true;
	}
	return false;
}

#endif
