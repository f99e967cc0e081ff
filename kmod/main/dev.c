// SPDX-License-Identifier: GPL-2.0-only
#include "main/dev.h"

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/poll.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#include "arch/clock.h"
#include "base/refusal.h"
#include "compat/preempt.h"
#include "compat/retprobe.h"
#include "compat/tracepoint.h"
#include "main/clock.h"
#include "probe/capture.h"
#include "probe/ret.h"
#include "probe/several.h"
#include "probe/tpoint.h"
#include "ring/mmap.h"
#include "ring/ring.h"
#include "session/add.h"
#include "session/run.h"
#include "session/session.h"
#include "session/stats.h"

static int get_info(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	struct fargs_info *info = arg;

	info->abi = FARGS_ABI;
	info->nr_cpus = nr_cpu_ids;
	info->features = FARGS_FEATURE_ENTRY | FARGS_FEATURE_TASKS | FARGS_FEATURE_FETCH |
			 FARGS_FEATURE_RETURN | FARGS_FEATURE_OVERWRITE |
			 FARGS_FEATURE_DEFERRED | FARGS_FEATURE_SCOPE |
			 FARGS_FEATURE_TRIGGER | FARGS_FEATURE_SWITCHES |
			 FARGS_FEATURE_NO_FUNCS |
			 FARGS_FEATURE_MISSED | FARGS_FEATURE_RELOAD | FARGS_FEATURE_PATH |
			 FARGS_FEATURE_EXEC |
			 (FARGS_COMPAT_TPOINTS ? FARGS_FEATURE_TPOINT : 0);
	info->tsc_khz = fargs_arch_clock_khz();
	info->tsc_stable = fargs_arch_clock_is_stable();
	info->page_size = PAGE_SIZE;
	info->layouts_max = FARGS_LAYOUTS_MAX;
	info->buffer_min = FARGS_BUFFER_MIN;
	info->buffer_max = FARGS_BUFFER_MAX;
	info->tif_resched = FARGS_COMPAT_TIF_RESCHED;
	info->tif_resched_lazy = FARGS_COMPAT_TIF_RESCHED_LAZY;
	info->returns_max = fargs_retprobe_max();
	info->seq_site[FARGS_PATH_PLAIN] = fargs_entry_plain_site();
	info->seq_site[FARGS_PATH_FETCH] = fargs_entry_fetch_site();
	info->seq_site[FARGS_PATH_RETURN] = fargs_ret_site();
	info->seq_site[FARGS_PATH_TPOINT] = fargs_tpoint_site();
	info->several_site[FARGS_PATH_PLAIN] = fargs_several_site(FARGS_PATH_PLAIN);
	info->several_site[FARGS_PATH_FETCH] = fargs_several_site(FARGS_PATH_FETCH);
	strscpy(info->version, FARGS_VERSION, sizeof(info->version));
	strscpy(info->release, init_utsname()->release, sizeof(info->release));
	return 0;
}

static int set_buffer(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_buffer(session, arg, refusal);
}

static int add_layouts(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_add(session, arg, refusal);
}

static int start_session(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_start(session, arg, refusal);
}

static int stop_session(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_stop(session, refusal);
}

static int get_stats(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_stats(session, arg, refusal);
}

static int get_clock(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	struct fargs_clock *clock = arg;
	u32 nr = min_t(u32, clock->nr_cpus, nr_cpu_ids);
	struct fargs_clock_sample *samples;
	int ret = 0;

	if (clock->reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_clock, reserved), "reserved is not 0");
	clock->nr_cpus = nr_cpu_ids;
	if (!nr)
		return 0;
	samples = kvcalloc(nr, sizeof(*samples), GFP_KERNEL);
	if (!samples)
		return -ENOMEM;
	fargs_clock_sample_all(samples, nr);
	if (copy_to_user(u64_to_user_ptr(clock->samples), samples, nr * sizeof(*samples)))
		ret = -EFAULT;
	kvfree(samples);
	return ret;
}

static int freeze_session(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_freeze(session, arg, refusal);
}

static int get_arrivals(struct fargs_session *session, void *arg, struct fargs_refusal *refusal)
{
	return fargs_session_arrivals(session, arg, refusal);
}

/*
 * Checks whether the caller may trace. This is checked whenever a session is set up or changed, not
 * only when the device is opened: a descriptor can be passed to another process, its owner can drop
 * capabilities, and the kernel can be locked down at any time. As with perf_event_open(2), a
 * process that was passed the descriptor can read the rings without these rights. ADD checks for
 * further capabilities (session/add.c).
 */
static int check_rights(struct fargs_refusal *refusal)
{
	int ret;

	if (!perfmon_capable())
		return fargs_refuse(refusal, EPERM, FARGS_NONE, FARGS_NONE,
				    "tracing needs CAP_PERFMON or CAP_SYS_ADMIN");
	/* Refuse tracing if lockdown forbids tracefs. */
	ret = security_locked_down(LOCKDOWN_TRACEFS);
	if (!ret)
		return 0;
	return fargs_refuse(refusal, -ret, FARGS_NONE, FARGS_NONE,
			    "the kernel is locked down, which forbids tracing: boot without lockdown");
}

/* The ioctls, indexed by their number (_IOC_NR). */
static const struct {
	u32 cmd;	/* not read; documents the index */
	u32 size;
	bool needs_only_fd;	/* check_rights() is not called */
	int (*call)(struct fargs_session *session, void *arg, struct fargs_refusal *refusal);
} calls[] = {
	{ FARGS_IOC_INFO, sizeof(struct fargs_info), true, get_info },
	{ FARGS_IOC_BUFFER, sizeof(struct fargs_buffer), false, set_buffer },
	{ FARGS_IOC_ADD, sizeof(struct fargs_add), false, add_layouts },
	{ FARGS_IOC_START, sizeof(struct fargs_start), false, start_session },
	{ FARGS_IOC_STOP, sizeof(struct fargs_stop), true, stop_session },
	{ FARGS_IOC_STATS, sizeof(struct fargs_stats), true, get_stats },
	{ FARGS_IOC_CLOCK, sizeof(struct fargs_clock), true, get_clock },
	{ FARGS_IOC_FREEZE, sizeof(struct fargs_freeze), false, freeze_session },
	{ FARGS_IOC_ARRIVALS, sizeof(struct fargs_arrivals), true, get_arrivals },
};

/* The largest argument is struct fargs_info. */
union any_arg {
	struct fargs_head head;
	struct fargs_info info;
	u8 bytes[sizeof(struct fargs_info)];
};

static int get_arg(union any_arg *arg, u32 size, const void __user *user,
		   struct fargs_refusal *refusal)
{
	u32 given;
	int ret;

	if (get_user(given, &((const struct fargs_head __user *)user)->size))
		return -EFAULT;
	if (given < sizeof(arg->head) || given > PAGE_SIZE)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE, offsetof(struct fargs_head, size),
				    "argument size %u is out of range (%zu to %lu)", given,
				    sizeof(arg->head), PAGE_SIZE);
	ret = copy_struct_from_user(arg, size, user, given);
	if (ret == -E2BIG)
		return fargs_refuse(refusal, E2BIG, FARGS_NONE, size,
				    "the argument has nonzero bytes after byte %u, which this module does not know: the program may be newer",
				    size);
	if (ret)
		return ret;
	arg->head.size = given;	/* user space may have changed the size after get_user() */
	if (arg->head.reserved)
		return fargs_refuse(refusal, EINVAL, FARGS_NONE,
				    offsetof(struct fargs_head, reserved), "reserved is not 0");
	return 0;
}

/* Reads head->error from user memory, since get_arg() may have failed before copying it. */
static void put_refusal(const struct fargs_refusal *refusal, const void __user *user)
{
	const struct fargs_head __user *head = user;
	u64 to;

	if (!refusal->error.text[0] || get_user(to, &head->error) || !to)
		return;
	if (copy_to_user(u64_to_user_ptr(to), &refusal->error, sizeof(refusal->error)))
		return;	/* dev_ioctl() still returns the error of the ioctl */
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long user)
{
	struct fargs_session *session = file->private_data;
	void __user *to = (void __user *)user;
	struct fargs_refusal refusal;
	union any_arg arg = {};
	u32 nr = _IOC_NR(cmd);
	int ret;

	/* Ignore the size in cmd, which differs between versions of the ABI (uapi/fargs.h). */
	if (_IOC_TYPE(cmd) != _IOC_TYPE(FARGS_IOC_INFO) || nr >= ARRAY_SIZE(calls))
		return -ENOTTY;
	/* Prevent speculative reads beyond the table. */
	nr = array_index_nospec(nr, ARRAY_SIZE(calls));
	fargs_refusal_init(&refusal);
	ret = calls[nr].needs_only_fd ? 0 : check_rights(&refusal);
	if (!ret)
		ret = get_arg(&arg, calls[nr].size, to, &refusal);
	if (!ret)
		ret = calls[nr].call(session, &arg, &refusal);
	if (ret)
		put_refusal(&refusal, to);
	else if (copy_to_user(to, &arg, min(arg.head.size, calls[nr].size)))
		ret = -EFAULT;
	return ret;
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct fargs_session *session;
	struct fargs_refusal refusal;
	int ret;

	fargs_refusal_init(&refusal);
	ret = check_rights(&refusal);
	if (ret)
		return ret;
	session = fargs_session_create();
	if (IS_ERR(session))
		return PTR_ERR(session);
	file->private_data = session;
	return nonseekable_open(inode, file);
}

/* Called when the last descriptor is closed and the last mapping removed. */
static int dev_release(struct inode *inode, struct file *file)
{
	fargs_session_destroy(file->private_data);
	return 0;
}

static struct fargs_rings *rings_of(struct file *file)
{
	struct fargs_session *session = file->private_data;

	/* Pairs with the smp_store_release() in fargs_session_buffer(). */
	return smp_load_acquire(&session->rings);
}

static int dev_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct fargs_rings *rings = rings_of(file);

	return rings ? fargs_rings_mmap(rings, vma) : -EINVAL;
}

static __poll_t dev_poll(struct file *file, poll_table *wait)
{
	struct fargs_session *session = file->private_data;
	struct fargs_rings *rings = rings_of(file);
	__poll_t events;

	if (!rings)
		return EPOLLERR;
	poll_wait(file, &rings->wait, wait);
	events = READ_ONCE(rings->is_triggered) ? EPOLLPRI : 0;
	/*
	 * Pairs with the smp_store_release() in fargs_session_halt(). EPOLLRDHUP is used because
	 * poll(2) reports EPOLLHUP even if it is not requested.
	 */
	if (smp_load_acquire(&session->state) == FARGS_STATE_STOPPED)
		events |= EPOLLRDHUP;
	return fargs_rings_is_due(rings) ? events | EPOLLIN | EPOLLRDNORM : events;
}

static const struct file_operations dev_fops = {
	.owner = THIS_MODULE,
	.open = dev_open,
	.release = dev_release,
	.unlocked_ioctl = dev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = dev_mmap,
	.poll = dev_poll,
};

static struct miscdevice dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "fargs",
	.fops = &dev_fops,
	.mode = 0600,
};

int fargs_dev_init(void)
{
	return misc_register(&dev);
}

void fargs_dev_deinit(void)
{
	misc_deregister(&dev);
}
