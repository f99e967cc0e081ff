// SPDX-License-Identifier: GPL-2.0-only
#include "base/memlock.h"

#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>

#include "base/refusal.h"

static u64 kib_of_pages(u64 nr_pages)
{
	return nr_pages << (PAGE_SHIFT - 10);
}

int fargs_memlock_charge(struct fargs_memlock *memlock, u64 bytes, u32 field,
			 struct fargs_refusal *refusal)
{
	u64 limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	u64 nr = (bytes >> PAGE_SHIFT) + !!(bytes & ~PAGE_MASK);
	struct user_struct *user = current_user();
	/* Add first, then compare: otherwise two tasks together could exceed the limit. */
	u64 charged = atomic_long_add_return(nr, &user->locked_vm);
	u64 left;

	if (charged > limit && !capable(CAP_IPC_LOCK)) {
		atomic_long_sub(nr, &user->locked_vm);
		left = limit - min(limit, charged - nr);
		return fargs_refuse(refusal, EPERM, FARGS_NONE, field,
				    "%llu KiB exceed RLIMIT_MEMLOCK (%llu of %llu KiB are left): raise it (ulimit -l), or get CAP_IPC_LOCK",
				    kib_of_pages(nr), kib_of_pages(left), kib_of_pages(limit));
	}
	memlock->user = get_uid(user);
	memlock->nr_pages = nr;
	return 0;
}

void fargs_memlock_uncharge(struct fargs_memlock *memlock)
{
	if (!memlock->user)
		return;
	atomic_long_sub(memlock->nr_pages, &memlock->user->locked_vm);
	free_uid(memlock->user);
	memlock->user = NULL;
}
