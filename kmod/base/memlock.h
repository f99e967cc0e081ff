/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel memory charged against a user's limit of locked memory (RLIMIT_MEMLOCK). The charge is
 * added to user_struct.locked_vm, which io_uring uses for registered buffers. perf uses it for its
 * buffers as well, except on Debian's 6.1 and 6.12, where perf has a counter of its own.
 */
#ifndef FARGS_KMOD_BASE_MEMLOCK_H
#define FARGS_KMOD_BASE_MEMLOCK_H

#include <linux/types.h>

struct fargs_refusal;
struct user_struct;

/* A charge. Stores the user, since the task that frees the memory may belong to another user. */
struct fargs_memlock {
	struct user_struct *user;	/* NULL: nothing is charged */
	u64 nr_pages;
};

/**
 * fargs_memlock_charge() - charge memory that is about to be allocated to the current user
 * @memlock: set to the charge
 * @bytes: size of the memory; rounded up to whole pages
 * @field: offset of the ioctl's field that determines the size, or FARGS_NONE
 * @refusal: filled in if the limit would be exceeded
 *
 * The limit is the current task's RLIMIT_MEMLOCK. A task with CAP_IPC_LOCK may exceed it, but its
 * memory is charged as well.
 *
 * Context: Process context.
 * Return: 0, or -EPERM with the reason in @refusal.
 */
int fargs_memlock_charge(struct fargs_memlock *memlock, u64 bytes, u32 field,
			 struct fargs_refusal *refusal);

/**
 * fargs_memlock_uncharge() - undo a charge
 * @memlock: the charge; does nothing if nothing is charged
 *
 * Context: Process context.
 */
void fargs_memlock_uncharge(struct fargs_memlock *memlock);

#endif
