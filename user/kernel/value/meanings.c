// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/value/meanings.h"

#include <string.h>

struct meaning {
	const char *of;		/* function or struct */
	const char *name;
	enum fargs_meaning meaning;
};

static const struct {
	const char *name;
	enum fargs_meaning meaning;
} typedefs[] = {
	{ "gfp_t", FARGS_MEANING_GFP },
	{ "umode_t", FARGS_MEANING_MODE },
	{ "mode_t", FARGS_MEANING_MODE },
	{ "dev_t", FARGS_MEANING_DEV },
	{ "blk_opf_t", FARGS_MEANING_BLK_OPF },
	{ "slab_flags_t", FARGS_MEANING_SLAB },
	{ "vm_flags_t", FARGS_MEANING_VM },
	{ "vm_fault_t", FARGS_MEANING_VM_FAULT },
	{ "__poll_t", FARGS_MEANING_POLL },
	/* Flags and addresses for which neither BTF nor a header has names. */
	{ "fmode_t", FARGS_MEANING_HEX },
	{ "fop_flags_t", FARGS_MEANING_HEX },
	{ "isolate_mode_t", FARGS_MEANING_HEX },
	{ "netdev_features_t", FARGS_MEANING_HEX },
	{ "phys_addr_t", FARGS_MEANING_HEX },
	{ "dma_addr_t", FARGS_MEANING_HEX },
	{ "resource_size_t", FARGS_MEANING_HEX },
	{ "pteval_t", FARGS_MEANING_HEX },
	{ "pmdval_t", FARGS_MEANING_HEX },
	{ "pudval_t", FARGS_MEANING_HEX },
	{ "p4dval_t", FARGS_MEANING_HEX },
	{ "pgdval_t", FARGS_MEANING_HEX },
	{ "pgprotval_t", FARGS_MEANING_HEX },
};

static const struct meaning members[] = {
	{ "open_how", "flags", FARGS_MEANING_OPEN },
	{ "open_how", "mode", FARGS_MEANING_MODE },
	{ "open_flags", "open_flag", FARGS_MEANING_OPEN },
	{ "file", "f_flags", FARGS_MEANING_OPEN },
	{ "kernel_clone_args", "flags", FARGS_MEANING_CLONE_FLAGS },
	{ "kernel_clone_args", "exit_signal", FARGS_MEANING_SIGNAL },
	{ "task_struct", "exit_signal", FARGS_MEANING_SIGNAL },
	{ "ksignal", "sig", FARGS_MEANING_SIGNAL },
};

static const struct meaning params[] = {
	/* files */
	{ "do_sys_open", "dfd", FARGS_MEANING_DFD },
	{ "do_sys_open", "flags", FARGS_MEANING_OPEN },
	{ "do_sys_openat2", "dfd", FARGS_MEANING_DFD },
	{ "do_filp_open", "dfd", FARGS_MEANING_DFD },
	{ "filp_open", "flags", FARGS_MEANING_OPEN },
	{ "file_open_name", "flags", FARGS_MEANING_OPEN },
	{ "do_faccessat", "dfd", FARGS_MEANING_DFD },
	{ "do_faccessat", "mode", FARGS_MEANING_ACCESS },
	{ "do_faccessat", "flags", FARGS_MEANING_AT_ACCESS },
	{ "do_fchmodat", "dfd", FARGS_MEANING_DFD },
	{ "do_fchmodat", "flags", FARGS_MEANING_AT_STAT },
	{ "do_unlinkat", "dfd", FARGS_MEANING_DFD },
	{ "filename_unlinkat", "dfd", FARGS_MEANING_DFD },
	{ "do_mkdirat", "dfd", FARGS_MEANING_DFD },
	{ "filename_mkdirat", "dfd", FARGS_MEANING_DFD },
	{ "do_mknodat", "dfd", FARGS_MEANING_DFD },
	{ "do_linkat", "olddfd", FARGS_MEANING_DFD },
	{ "do_linkat", "newdfd", FARGS_MEANING_DFD },
	{ "do_linkat", "flags", FARGS_MEANING_AT_STAT },
	{ "filename_linkat", "olddfd", FARGS_MEANING_DFD },
	{ "filename_linkat", "newdfd", FARGS_MEANING_DFD },
	{ "filename_linkat", "flags", FARGS_MEANING_AT_STAT },
	{ "do_renameat2", "olddfd", FARGS_MEANING_DFD },
	{ "do_renameat2", "newdfd", FARGS_MEANING_DFD },
	{ "do_renameat2", "flags", FARGS_MEANING_RENAME },
	{ "filename_renameat2", "olddfd", FARGS_MEANING_DFD },
	{ "filename_renameat2", "newdfd", FARGS_MEANING_DFD },
	{ "filename_renameat2", "flags", FARGS_MEANING_RENAME },
	{ "do_statx", "dfd", FARGS_MEANING_DFD },
	{ "do_statx", "flags", FARGS_MEANING_AT_STAT },
	{ "vfs_statx", "dfd", FARGS_MEANING_DFD },
	{ "vfs_statx", "flags", FARGS_MEANING_AT_STAT },
	{ "vfs_fstatat", "dfd", FARGS_MEANING_DFD },
	{ "vfs_fstatat", "flags", FARGS_MEANING_AT_STAT },
	{ "ksys_lseek", "whence", FARGS_MEANING_SEEK },
	{ "vfs_llseek", "whence", FARGS_MEANING_SEEK },
	/* memory */
	{ "do_mmap", "prot", FARGS_MEANING_PROT },
	{ "do_mmap", "flags", FARGS_MEANING_MAP },
	{ "vm_mmap", "prot", FARGS_MEANING_PROT },
	{ "vm_mmap", "flag", FARGS_MEANING_MAP },
	{ "vm_mmap_pgoff", "prot", FARGS_MEANING_PROT },
	{ "vm_mmap_pgoff", "flag", FARGS_MEANING_MAP },
	{ "ksys_mmap_pgoff", "prot", FARGS_MEANING_PROT },
	{ "ksys_mmap_pgoff", "flags", FARGS_MEANING_MAP },
	{ "do_mprotect_pkey", "prot", FARGS_MEANING_PROT },
	{ "handle_mm_fault", "flags", FARGS_MEANING_FAULT_FLAG },
	/* tasks and signals */
	{ "ksys_unshare", "unshare_flags", FARGS_MEANING_UNSHARE },
	{ "do_send_sig_info", "sig", FARGS_MEANING_SIGNAL },
	{ "do_send_specific", "sig", FARGS_MEANING_SIGNAL },
	{ "do_sigaction", "sig", FARGS_MEANING_SIGNAL },
	{ "do_tkill", "sig", FARGS_MEANING_SIGNAL },
	{ "force_sig", "sig", FARGS_MEANING_SIGNAL },
	{ "force_sig_fault", "sig", FARGS_MEANING_SIGNAL },
	{ "group_send_sig_info", "sig", FARGS_MEANING_SIGNAL },
	{ "kill_pid_info", "sig", FARGS_MEANING_SIGNAL },
	{ "kill_pid_info_type", "sig", FARGS_MEANING_SIGNAL },
	{ "kill_something_info", "sig", FARGS_MEANING_SIGNAL },
	{ "prepare_signal", "sig", FARGS_MEANING_SIGNAL },
	{ "send_sig", "sig", FARGS_MEANING_SIGNAL },
	{ "send_signal_locked", "sig", FARGS_MEANING_SIGNAL },
	{ "__send_signal_locked", "sig", FARGS_MEANING_SIGNAL },
	/* tracepoints: their text has the address by %pS */
	{ "kfree", "call_site", FARGS_MEANING_SYMBOL },
	{ "kmalloc", "call_site", FARGS_MEANING_SYMBOL },
	{ "kmem_cache_alloc", "call_site", FARGS_MEANING_SYMBOL },
	{ "kmem_cache_free", "call_site", FARGS_MEANING_SYMBOL },
	{ "percpu_alloc_percpu", "call_site", FARGS_MEANING_SYMBOL },
	{ "signal_deliver", "sig", FARGS_MEANING_SIGNAL },
	{ "signal_generate", "sig", FARGS_MEANING_SIGNAL },
};

/* Arguments of a system call, as SYSCALL_DEFINE names them, and tracefs in sys_enter_NAME. */
static const struct syscall_arg {
	const char *call;
	const char *name;
	unsigned char position;
	unsigned char bytes;
	enum fargs_meaning meaning;
} syscall_args[] = {
	{ "open", "flags", 1, 4, FARGS_MEANING_OPEN },
	{ "open", "mode", 2, 2, FARGS_MEANING_MODE },
	{ "openat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "openat", "flags", 2, 4, FARGS_MEANING_OPEN },
	{ "openat", "mode", 3, 2, FARGS_MEANING_MODE },
	{ "openat2", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "creat", "mode", 1, 2, FARGS_MEANING_MODE },
	{ "pipe2", "flags", 1, 4, FARGS_MEANING_OPEN_FLAGS },
	{ "dup3", "flags", 2, 4, FARGS_MEANING_OPEN_FLAGS },
	{ "access", "mode", 1, 4, FARGS_MEANING_ACCESS },
	{ "faccessat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "faccessat", "mode", 2, 4, FARGS_MEANING_ACCESS },
	{ "faccessat2", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "faccessat2", "mode", 2, 4, FARGS_MEANING_ACCESS },
	{ "faccessat2", "flags", 3, 4, FARGS_MEANING_AT_ACCESS },
	{ "chmod", "mode", 1, 2, FARGS_MEANING_MODE },
	{ "fchmod", "mode", 1, 2, FARGS_MEANING_MODE },
	{ "fchmodat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "fchmodat", "mode", 2, 2, FARGS_MEANING_MODE },
	{ "fchmodat2", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "fchmodat2", "mode", 2, 2, FARGS_MEANING_MODE },
	{ "fchmodat2", "flags", 3, 4, FARGS_MEANING_AT_STAT },
	{ "fchownat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "fchownat", "flag", 4, 4, FARGS_MEANING_AT_STAT },
	{ "umask", "mask", 0, 4, FARGS_MEANING_MODE },
	{ "mkdir", "mode", 1, 2, FARGS_MEANING_MODE },
	{ "mkdirat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "mkdirat", "mode", 2, 2, FARGS_MEANING_MODE },
	{ "mknod", "mode", 1, 2, FARGS_MEANING_MODE },
	{ "mknodat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "mknodat", "mode", 2, 2, FARGS_MEANING_MODE },
	{ "newfstatat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "newfstatat", "flag", 3, 4, FARGS_MEANING_AT_STAT },
	{ "statx", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "statx", "flags", 2, 4, FARGS_MEANING_AT_STAT },
	{ "readlinkat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "utimensat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "utimensat", "flags", 3, 4, FARGS_MEANING_AT_STAT },
	{ "unlinkat", "dfd", 0, 4, FARGS_MEANING_DFD },
	{ "unlinkat", "flag", 2, 4, FARGS_MEANING_AT_UNLINK },
	{ "linkat", "olddfd", 0, 4, FARGS_MEANING_DFD },
	{ "linkat", "newdfd", 2, 4, FARGS_MEANING_DFD },
	{ "linkat", "flags", 4, 4, FARGS_MEANING_AT_STAT },
	{ "symlinkat", "newdfd", 1, 4, FARGS_MEANING_DFD },
	{ "renameat", "olddfd", 0, 4, FARGS_MEANING_DFD },
	{ "renameat", "newdfd", 2, 4, FARGS_MEANING_DFD },
	{ "renameat2", "olddfd", 0, 4, FARGS_MEANING_DFD },
	{ "renameat2", "newdfd", 2, 4, FARGS_MEANING_DFD },
	{ "renameat2", "flags", 4, 4, FARGS_MEANING_RENAME },
	{ "execveat", "fd", 0, 4, FARGS_MEANING_DFD },
	{ "execveat", "flags", 4, 4, FARGS_MEANING_AT_STAT },
	{ "lseek", "whence", 2, 4, FARGS_MEANING_SEEK },
	{ "mmap", "prot", 2, 8, FARGS_MEANING_PROT },
	{ "mmap", "flags", 3, 8, FARGS_MEANING_MAP },
	{ "mprotect", "prot", 2, 8, FARGS_MEANING_PROT },
	{ "pkey_mprotect", "prot", 2, 8, FARGS_MEANING_PROT },
	{ "madvise", "behavior", 2, 4, FARGS_MEANING_MADVISE },
	{ "clone", "clone_flags", 0, 8, FARGS_MEANING_CLONE },
	{ "unshare", "unshare_flags", 0, 8, FARGS_MEANING_UNSHARE },
	{ "setns", "flags", 1, 4, FARGS_MEANING_SETNS },
	{ "kill", "sig", 1, 4, FARGS_MEANING_SIGNAL },
	{ "tkill", "sig", 1, 4, FARGS_MEANING_SIGNAL },
	{ "tgkill", "sig", 2, 4, FARGS_MEANING_SIGNAL },
	{ "pidfd_send_signal", "sig", 1, 4, FARGS_MEANING_SIGNAL },
	{ "rt_sigaction", "sig", 0, 4, FARGS_MEANING_SIGNAL },
	{ "rt_sigqueueinfo", "sig", 1, 4, FARGS_MEANING_SIGNAL },
	{ "rt_sigprocmask", "how", 0, 4, FARGS_MEANING_SIGMASK },
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

enum fargs_meaning fargs_meaning_of_typedef(const char *name)
{
	size_t i;

	for (i = 0; i < NR(typedefs); i++)
		if (name[0] == typedefs[i].name[0] && !strcmp(name, typedefs[i].name))
			return typedefs[i].meaning;
	return FARGS_MEANING_NONE;
}

static enum fargs_meaning find(const struct meaning *rows, size_t nr, const char *of,
			       const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (of[0] == rows[i].of[0] && !strcmp(of, rows[i].of) &&
		    !strcmp(name, rows[i].name))
			return rows[i].meaning;
	return FARGS_MEANING_NONE;
}

enum fargs_meaning fargs_meaning_of_member(const char *of, const char *name)
{
	return find(members, NR(members), of, name);
}

enum fargs_meaning fargs_meaning_of_param(const char *func, const char *name)
{
	return find(params, NR(params), func, name);
}

enum fargs_meaning fargs_meaning_of_syscall(const char *call, const char *name,
					    unsigned int *bytes)
{
	size_t i;

	for (i = 0; i < NR(syscall_args); i++)
		if (!strcmp(call, syscall_args[i].call) && !strcmp(name, syscall_args[i].name)) {
			*bytes = syscall_args[i].bytes;
			return syscall_args[i].meaning;
		}
	return FARGS_MEANING_NONE;
}

enum fargs_meaning fargs_meaning_of_syscall_arg(const char *call, unsigned int position,
						unsigned int *bytes)
{
	size_t i;

	for (i = 0; i < NR(syscall_args); i++)
		if (!strcmp(call, syscall_args[i].call) && position == syscall_args[i].position) {
			*bytes = syscall_args[i].bytes;
			return syscall_args[i].meaning;
		}
	return FARGS_MEANING_NONE;
}
