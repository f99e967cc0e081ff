// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/value/uapi.h"

/* Use the kernel's values: libc defines some of them differently (O_LARGEFILE). */
#include <asm/errno.h>
#include <asm/fcntl.h>
#include <asm/signal.h>
#include <linux/eventpoll.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <sys/stat.h>

/* A bit, or several; one of the numbers in the bits MASK; and a name that is not shown. */
#define FLAG(name)		{ #name, name, name }
#define FIELD(name, mask)	{ #name, (uint64_t)(name), mask }
#define VALUE(name)		{ #name, (uint64_t)(name), UINT64_MAX }
#define HIDDEN(name)		{ #name, (uint64_t)(name), 0 }
/*
 * Paste the names of permission macros together: checkpatch warns about their full names, wherever
 * these appear.
 */
#define PERMISSION(rest)	{ "S_I" #rest, S_I##rest, 0 }

static const struct fargs_flag opens[] = {
	FIELD(O_RDONLY, O_ACCMODE), FIELD(O_WRONLY, O_ACCMODE), FIELD(O_RDWR, O_ACCMODE),
	FIELD(O_ACCMODE, O_ACCMODE),
	FLAG(O_CREAT), FLAG(O_EXCL), FLAG(O_NOCTTY), FLAG(O_TRUNC), FLAG(O_APPEND),
	FLAG(O_NONBLOCK), FLAG(O_SYNC), FLAG(O_DSYNC), FLAG(FASYNC), FLAG(O_DIRECT),
	FLAG(O_LARGEFILE), FLAG(O_TMPFILE), FLAG(O_DIRECTORY), FLAG(O_NOFOLLOW), FLAG(O_NOATIME),
	FLAG(O_CLOEXEC), FLAG(O_PATH), HIDDEN(O_NDELAY),
};

/* Number of access modes at the beginning of opens. */
#define NR_MODES	4

static const struct fargs_flag dfds[] = { VALUE(AT_FDCWD) };

static const struct fargs_flag at_stats[] = {
	FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_SYMLINK_FOLLOW), FLAG(AT_NO_AUTOMOUNT),
	FLAG(AT_EMPTY_PATH), FLAG(AT_STATX_FORCE_SYNC), FLAG(AT_STATX_DONT_SYNC),
	FLAG(AT_RECURSIVE), HIDDEN(AT_STATX_SYNC_AS_STAT), HIDDEN(AT_STATX_SYNC_TYPE),
};

static const struct fargs_flag at_unlinks[] = { FLAG(AT_REMOVEDIR) };

static const struct fargs_flag at_accesses[] = {
	FLAG(AT_EACCESS), FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_EMPTY_PATH),
};

/* No header of the kernel has these: the values of access(2) are those of POSIX. */
static const struct fargs_flag accesses[] = {
	{ "F_OK", 0, UINT64_MAX }, { "R_OK", 4, 4 }, { "W_OK", 2, 2 }, { "X_OK", 1, 1 },
};

static const struct fargs_flag renames[] = {
	FLAG(RENAME_NOREPLACE), FLAG(RENAME_EXCHANGE), FLAG(RENAME_WHITEOUT),
};

static const struct fargs_flag seeks[] = {
	VALUE(SEEK_SET), VALUE(SEEK_CUR), VALUE(SEEK_END), VALUE(SEEK_DATA), VALUE(SEEK_HOLE),
};

static const struct fargs_flag prots[] = {
	VALUE(PROT_NONE), FLAG(PROT_READ), FLAG(PROT_WRITE), FLAG(PROT_EXEC), FLAG(PROT_SEM),
	FLAG(PROT_GROWSDOWN), FLAG(PROT_GROWSUP),
};

static const struct fargs_flag maps[] = {
	FIELD(MAP_SHARED, MAP_TYPE), FIELD(MAP_PRIVATE, MAP_TYPE),
	FIELD(MAP_SHARED_VALIDATE, MAP_TYPE), FLAG(MAP_FIXED), FLAG(MAP_ANONYMOUS),
	FLAG(MAP_32BIT), FLAG(MAP_GROWSDOWN), FLAG(MAP_DENYWRITE), FLAG(MAP_EXECUTABLE),
	FLAG(MAP_LOCKED), FLAG(MAP_NORESERVE), FLAG(MAP_POPULATE), FLAG(MAP_NONBLOCK),
	FLAG(MAP_STACK), FLAG(MAP_HUGETLB), FLAG(MAP_SYNC), FLAG(MAP_FIXED_NOREPLACE),
	HIDDEN(MAP_FILE), HIDDEN(MAP_TYPE),
};

static const struct fargs_flag madvises[] = {
	VALUE(MADV_NORMAL), VALUE(MADV_RANDOM), VALUE(MADV_SEQUENTIAL), VALUE(MADV_WILLNEED),
	VALUE(MADV_DONTNEED), VALUE(MADV_FREE), VALUE(MADV_REMOVE), VALUE(MADV_DONTFORK),
	VALUE(MADV_DOFORK), VALUE(MADV_MERGEABLE), VALUE(MADV_UNMERGEABLE), VALUE(MADV_HUGEPAGE),
	VALUE(MADV_NOHUGEPAGE), VALUE(MADV_DONTDUMP), VALUE(MADV_DODUMP),
	VALUE(MADV_WIPEONFORK), VALUE(MADV_KEEPONFORK), VALUE(MADV_COLD), VALUE(MADV_PAGEOUT),
	VALUE(MADV_HWPOISON), VALUE(MADV_SOFT_OFFLINE),
	/* Headers of Linux 5.10 lack these. */
#ifdef MADV_POPULATE_READ
	VALUE(MADV_POPULATE_READ), VALUE(MADV_POPULATE_WRITE),
#endif
#ifdef MADV_DONTNEED_LOCKED
	VALUE(MADV_DONTNEED_LOCKED),
#endif
#ifdef MADV_COLLAPSE
	VALUE(MADV_COLLAPSE),
#endif
};

static const struct fargs_flag clones[] = {
	FLAG(CLONE_VM), FLAG(CLONE_FS), FLAG(CLONE_FILES), FLAG(CLONE_SIGHAND), FLAG(CLONE_PIDFD),
	FLAG(CLONE_PTRACE), FLAG(CLONE_VFORK), FLAG(CLONE_PARENT), FLAG(CLONE_THREAD),
	FLAG(CLONE_NEWNS), FLAG(CLONE_SYSVSEM), FLAG(CLONE_SETTLS), FLAG(CLONE_PARENT_SETTID),
	FLAG(CLONE_CHILD_CLEARTID), FLAG(CLONE_DETACHED), FLAG(CLONE_UNTRACED),
	FLAG(CLONE_CHILD_SETTID), FLAG(CLONE_NEWCGROUP), FLAG(CLONE_NEWUTS), FLAG(CLONE_NEWIPC),
	FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWPID), FLAG(CLONE_NEWNET), FLAG(CLONE_IO),
	FLAG(CLONE_CLEAR_SIGHAND), FLAG(CLONE_INTO_CGROUP), FLAG(CLONE_NEWTIME),
};

/*
 * unshare(2) and setns(2) accept only some flags of clone(2), and unshare() has flags of its own
 * for other bits: UNSHARE_EMPTY_MNTNS is CLONE_PARENT_SETTID.
 */
static const struct fargs_flag unshares[] = {
	FLAG(CLONE_VM), FLAG(CLONE_FS), FLAG(CLONE_FILES), FLAG(CLONE_SIGHAND), FLAG(CLONE_THREAD),
	FLAG(CLONE_NEWNS), FLAG(CLONE_SYSVSEM), FLAG(CLONE_NEWCGROUP), FLAG(CLONE_NEWUTS),
	FLAG(CLONE_NEWIPC), FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWPID), FLAG(CLONE_NEWNET),
	FLAG(CLONE_NEWTIME),
};

static const struct fargs_flag setnss[] = {
	FLAG(CLONE_NEWNS), FLAG(CLONE_NEWCGROUP), FLAG(CLONE_NEWUTS), FLAG(CLONE_NEWIPC),
	FLAG(CLONE_NEWUSER), FLAG(CLONE_NEWPID), FLAG(CLONE_NEWNET), FLAG(CLONE_NEWTIME),
};

static const struct fargs_flag signals[] = {
	VALUE(SIGHUP), VALUE(SIGINT), VALUE(SIGQUIT), VALUE(SIGILL), VALUE(SIGTRAP),
	VALUE(SIGABRT), VALUE(SIGBUS), VALUE(SIGFPE), VALUE(SIGKILL), VALUE(SIGUSR1),
	VALUE(SIGSEGV), VALUE(SIGUSR2), VALUE(SIGPIPE), VALUE(SIGALRM), VALUE(SIGTERM),
	VALUE(SIGSTKFLT), VALUE(SIGCHLD), VALUE(SIGCONT), VALUE(SIGSTOP), VALUE(SIGTSTP),
	VALUE(SIGTTIN), VALUE(SIGTTOU), VALUE(SIGURG), VALUE(SIGXCPU), VALUE(SIGXFSZ),
	VALUE(SIGVTALRM), VALUE(SIGPROF), VALUE(SIGWINCH), VALUE(SIGIO), VALUE(SIGPWR),
	VALUE(SIGSYS), HIDDEN(SIGIOT), HIDDEN(SIGPOLL), HIDDEN(SIGRTMIN),
};

static const struct fargs_flag sigmasks[] = {
	VALUE(SIG_BLOCK), VALUE(SIG_UNBLOCK), VALUE(SIG_SETMASK),
};

/* The masks of struct epoll_event, which poll_t and __poll_t of the kernel use as well. */
#define POLL(name)		{ #name, (uint32_t)(name), (uint32_t)(name) }

static const struct fargs_flag polls[] = {
	POLL(EPOLLIN), POLL(EPOLLPRI), POLL(EPOLLOUT), POLL(EPOLLERR), POLL(EPOLLHUP),
	POLL(EPOLLNVAL), POLL(EPOLLRDNORM), POLL(EPOLLRDBAND), POLL(EPOLLWRNORM),
	POLL(EPOLLWRBAND), POLL(EPOLLMSG), POLL(EPOLLRDHUP), POLL(EPOLLEXCLUSIVE),
	POLL(EPOLLWAKEUP), POLL(EPOLLONESHOT), POLL(EPOLLET),
};

static const struct fargs_flag others[] = {
	/* other names of EDEADLK and EAGAIN */
	HIDDEN(EDEADLOCK), HIDDEN(EWOULDBLOCK),
	/* stat(2): fargs_naming_text() shows modes */
	HIDDEN(S_IFBLK), HIDDEN(S_IFCHR), HIDDEN(S_IFDIR), HIDDEN(S_IFIFO), HIDDEN(S_IFLNK),
	HIDDEN(S_IFMT), HIDDEN(S_IFREG), HIDDEN(S_IFSOCK), PERMISSION(RGRP), PERMISSION(ROTH),
	PERMISSION(RUSR), PERMISSION(RWXG), PERMISSION(RWXO), PERMISSION(RWXU), PERMISSION(SGID),
	PERMISSION(SUID), PERMISSION(SVTX), PERMISSION(WGRP), PERMISSION(WOTH), PERMISSION(WUSR),
	PERMISSION(XGRP), PERMISSION(XOTH), PERMISSION(XUSR),
	/* sigaction(2) */
	HIDDEN(SA_NOCLDSTOP), HIDDEN(SA_NOCLDWAIT), HIDDEN(SA_NODEFER), HIDDEN(SA_ONSTACK),
	HIDDEN(SA_RESETHAND), HIDDEN(SA_RESTART), HIDDEN(SA_RESTORER), HIDDEN(SA_SIGINFO),
};

#define GROUP(array)	{ array, sizeof(array) / sizeof(array[0]) }

static const struct fargs_flags groups[FARGS_NR_UAPI] = {
	[FARGS_UAPI_OPEN] = GROUP(opens),
	[FARGS_UAPI_OPEN_FLAGS] = {
		opens + NR_MODES, sizeof(opens) / sizeof(opens[0]) - NR_MODES,
	},
	[FARGS_UAPI_DFD] = GROUP(dfds),
	[FARGS_UAPI_AT_STAT] = GROUP(at_stats),
	[FARGS_UAPI_AT_UNLINK] = GROUP(at_unlinks),
	[FARGS_UAPI_AT_ACCESS] = GROUP(at_accesses),
	[FARGS_UAPI_ACCESS] = GROUP(accesses),
	[FARGS_UAPI_RENAME] = GROUP(renames),
	[FARGS_UAPI_SEEK] = GROUP(seeks),
	[FARGS_UAPI_PROT] = GROUP(prots),
	[FARGS_UAPI_MAP] = GROUP(maps),
	[FARGS_UAPI_MADVISE] = GROUP(madvises),
	[FARGS_UAPI_CLONE] = GROUP(clones),
	[FARGS_UAPI_UNSHARE] = GROUP(unshares),
	[FARGS_UAPI_SETNS] = GROUP(setnss),
	[FARGS_UAPI_SIGNAL] = GROUP(signals),
	[FARGS_UAPI_SIGMASK] = GROUP(sigmasks),
	[FARGS_UAPI_POLL] = GROUP(polls),
	[FARGS_UAPI_OTHERS] = GROUP(others),
};

const struct fargs_flags *fargs_uapi_flags(enum fargs_uapi group)
{
	return &groups[group];
}

const struct fargs_flag *fargs_uapi_find(const char *name, size_t len)
{
	const struct fargs_flag *flag;
	size_t i;

	for (i = 0; i < FARGS_NR_UAPI; i++) {
		flag = fargs_flags_find(&groups[i], name, len);
		if (flag)
			return flag;
	}
	return NULL;
}
