// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/names.h"

#include <string.h>

#include "base/errname.h"

/* Use the kernel's values: libc defines some of them differently (O_LARGEFILE). */
#include <asm/errno.h>
#include <asm/fcntl.h>
#include <asm/signal.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <sys/stat.h>

struct name {
	const char *name;
	int64_t value;
};

#define N(name)	{ #name, name }
/*
 * Paste the names of permission macros together: checkpatch warns about their full names, wherever
 * these appear.
 */
#define P(rest)	{ "S_I" #rest, S_I##rest }

static const struct name names[] = {
	/* other names of EDEADLK and EAGAIN */
	N(EDEADLOCK), N(EWOULDBLOCK),
	/* flags of open(2) and related system calls */
	N(AT_EACCESS), N(AT_EMPTY_PATH), N(AT_FDCWD), N(AT_NO_AUTOMOUNT), N(AT_RECURSIVE),
	N(AT_REMOVEDIR), N(AT_STATX_DONT_SYNC), N(AT_STATX_FORCE_SYNC),
	N(AT_STATX_SYNC_AS_STAT), N(AT_STATX_SYNC_TYPE), N(AT_SYMLINK_FOLLOW),
	N(AT_SYMLINK_NOFOLLOW), N(O_ACCMODE), N(O_APPEND), N(O_CLOEXEC), N(O_CREAT),
	N(O_DIRECT), N(O_DIRECTORY), N(O_DSYNC), N(O_EXCL), N(O_LARGEFILE), N(O_NDELAY),
	N(O_NOATIME), N(O_NOCTTY), N(O_NOFOLLOW), N(O_NONBLOCK), N(O_PATH), N(O_RDONLY),
	N(O_RDWR), N(O_SYNC), N(O_TMPFILE), N(O_TRUNC), N(O_WRONLY),
	/* stat(2) */
	N(S_IFBLK), N(S_IFCHR), N(S_IFDIR), N(S_IFIFO), N(S_IFLNK), N(S_IFMT), N(S_IFREG),
	N(S_IFSOCK), P(RGRP), P(ROTH), P(RUSR), P(RWXG), P(RWXO), P(RWXU),
	P(SGID), P(SUID), P(SVTX), P(WGRP), P(WOTH), P(WUSR), P(XGRP),
	P(XOTH), P(XUSR),
	/* mmap(2) */
	N(MAP_32BIT), N(MAP_ANONYMOUS), N(MAP_DENYWRITE), N(MAP_EXECUTABLE), N(MAP_FILE),
	N(MAP_FIXED), N(MAP_FIXED_NOREPLACE), N(MAP_GROWSDOWN), N(MAP_HUGETLB), N(MAP_LOCKED),
	N(MAP_NONBLOCK), N(MAP_NORESERVE), N(MAP_POPULATE), N(MAP_PRIVATE), N(MAP_SHARED),
	N(MAP_SHARED_VALIDATE), N(MAP_STACK), N(MAP_SYNC), N(MAP_TYPE), N(PROT_EXEC),
	N(PROT_GROWSDOWN), N(PROT_GROWSUP), N(PROT_NONE), N(PROT_READ), N(PROT_SEM),
	N(PROT_WRITE),
	/* clone(2) */
	N(CLONE_CHILD_CLEARTID), N(CLONE_CHILD_SETTID), N(CLONE_CLEAR_SIGHAND),
	N(CLONE_DETACHED), N(CLONE_FILES), N(CLONE_FS), N(CLONE_INTO_CGROUP), N(CLONE_IO),
	N(CLONE_NEWCGROUP), N(CLONE_NEWIPC), N(CLONE_NEWNET), N(CLONE_NEWNS), N(CLONE_NEWPID),
	N(CLONE_NEWTIME), N(CLONE_NEWUSER), N(CLONE_NEWUTS), N(CLONE_PARENT),
	N(CLONE_PARENT_SETTID), N(CLONE_PIDFD), N(CLONE_PTRACE), N(CLONE_SETTLS),
	N(CLONE_SIGHAND), N(CLONE_SYSVSEM), N(CLONE_THREAD), N(CLONE_UNTRACED), N(CLONE_VFORK),
	N(CLONE_VM),
	/* signal(7) */
	N(SA_NOCLDSTOP), N(SA_NOCLDWAIT), N(SA_NODEFER), N(SA_ONSTACK), N(SA_RESETHAND),
	N(SA_RESTART), N(SA_RESTORER), N(SA_SIGINFO), N(SIGABRT), N(SIGALRM), N(SIGBUS),
	N(SIGCHLD), N(SIGCONT), N(SIGFPE), N(SIGHUP), N(SIGILL), N(SIGINT), N(SIGIO),
	N(SIGIOT), N(SIGKILL), N(SIGPIPE), N(SIGPOLL), N(SIGPROF), N(SIGPWR), N(SIGQUIT),
	N(SIGRTMIN), N(SIGSEGV), N(SIGSTKFLT), N(SIGSTOP), N(SIGSYS), N(SIGTERM),
	N(SIGTRAP), N(SIGTSTP), N(SIGTTIN), N(SIGTTOU), N(SIGURG), N(SIGUSR1), N(SIGUSR2),
	N(SIGVTALRM), N(SIGWINCH), N(SIGXCPU), N(SIGXFSZ), N(SIG_BLOCK), N(SIG_SETMASK),
	N(SIG_UNBLOCK),
};

#define NR_NAMES	(sizeof(names) / sizeof(names[0]))

/* Maximum size of an error's name, including its NUL. */
#define NAME_BYTES	64

bool fargs_names_find(const char *name, size_t len, int64_t *value)
{
	char copy[NAME_BYTES];
	size_t i;

	for (i = 0; i < NR_NAMES; i++)
		if (!strncmp(names[i].name, name, len) && !names[i].name[len]) {
			*value = names[i].value;
			return true;
		}
	if (len >= sizeof(copy) || name[0] != 'E')
		return false;
	memcpy(copy, name, len);
	copy[len] = '\0';
	*value = fargs_errname_find(copy);
	return *value;
}

void fargs_names_offer(struct fargs_near *near)
{
	const char *name;
	size_t i;
	int err;

	for (i = 0; i < NR_NAMES; i++)
		fargs_near_offer(near, names[i].name);
	for (err = 1; err <= FARGS_ERRNO_MAX; err++) {
		name = fargs_errname(err);
		if (name)
			fargs_near_offer(near, name);
	}
}
