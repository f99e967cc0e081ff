/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs checks in a new process of user 65534, with some capabilities or none. */
#ifndef FARGS_SELFTESTS_RIGHTS_H
#define FARGS_SELFTESTS_RIGHTS_H

#include <linux/capability.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "session.h"

#define NOBODY		65534
/*
 * A second device node for the same device, which all users can open, so that access is refused
 * only by the module's own checks.
 */
#define OPEN_NODE	"/dev/fargs_rights"

#define PERFMON		(1ull << CAP_PERFMON)
#define BPF		(1ull << CAP_BPF)
#define ADMIN		(1ull << CAP_SYS_ADMIN)
#define IPC_LOCK	(1ull << CAP_IPC_LOCK)
#define RESOURCE	(1ull << CAP_SYS_RESOURCE)

/* Result that the child passes to the test. */
struct answer {
	int ret;
	uint32_t nr;
	struct fargs_error error;
};

static struct answer *answer;

static inline void rights_init(void)
{
	struct stat st;

	answer = mmap(NULL, sizeof(*answer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	must(answer == MAP_FAILED ? -errno : 0, "mmap");
	must(stat(FARGS_DEVICE, &st) ? -errno : 0, FARGS_DEVICE);
	unlink(OPEN_NODE);
	must(mknod(OPEN_NODE, S_IFCHR, st.st_rdev) ? -errno : 0, OPEN_NODE);
	must(chmod(OPEN_NODE, 0666) ? -errno : 0, OPEN_NODE);
}

static inline void become(uint64_t caps)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = caps, .permitted = caps },
		{ .effective = caps >> 32, .permitted = caps >> 32 },
	};

	must(prctl(PR_SET_KEEPCAPS, 1) ? -errno : 0, "PR_SET_KEEPCAPS");
	must(setresgid(NOBODY, NOBODY, NOBODY) ? -errno : 0, "setresgid");
	must(setresuid(NOBODY, NOBODY, NOBODY) ? -errno : 0, "setresuid");
	must(syscall(SYS_capset, &head, data) ? -errno : 0, "capset");
}

/* Runs @question in a process that has only the capabilities @caps. Returns its result. */
static inline int as(uint64_t caps, int (*question)(void *arg), void *arg)
{
	int status;
	pid_t pid;

	memset(answer, 0, sizeof(*answer));
	fflush(stdout);
	pid = fork();
	must(pid < 0 ? -errno : 0, "fork");
	if (!pid) {
		become(caps);
		memset(&last_error, 0, sizeof(last_error));
		answer->ret = question(arg);
		answer->error = last_error;
		_exit(0);
	}
	must(waitpid(pid, &status, 0) < 0 ? -errno : 0, "waitpid");
	return WIFEXITED(status) ? answer->ret : -ECHILD;
}

static inline bool names(const char *word)
{
	return strstr(answer->error.text, word);
}

static inline int open_new(void)
{
	int fd = open(OPEN_NODE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

#endif
