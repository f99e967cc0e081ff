/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs: the ioctls of /dev/fargs.
 *
 * Each open file is a session, which owns its layouts, probes and rings. All of them are freed
 * once its last descriptor and its last mapping are closed. Sessions are independent of each
 * other. The life of a session:
 *
 *	open			prepared
 *	FARGS_IOC_BUFFER	once: creates the rings, which can be mapped from now on
 *	FARGS_IOC_ADD		any number of times while the session is not running
 *	FARGS_IOC_START		running
 *	FARGS_IOC_FREEZE	FARGS_MODE_OVERWRITE only: freezes the rings, or thaws them
 *	FARGS_IOC_STOP		stopped: the probes are removed, the rings can still be read;
 *				ADD and START may follow
 *	close
 *
 * INFO, STATS, CLOCK and ARRIVALS are allowed at any time.
 *
 * A running session stops by itself when the module of its last function or tracepoint is
 * unloaded and it has no deferred layouts, unless it was started with FARGS_START_SWITCHES or
 * FARGS_START_NO_FUNCS. While a session is stopped, by itself or by STOP, poll(2) reports
 * POLLRDHUP to callers that request it.
 *
 * A call can trigger (FARGS_LAYOUT_TRIGGER in fargs_layout.h). From then on poll(2) reports
 * POLLPRI, until FREEZE thaws the rings or until the next START. A trigger wakes the reader
 * once, as soon as possible, but not always: a reader should also poll with a timeout. With
 * FARGS_START_FREEZE a trigger stops the rings from overwriting at once, so that the newest
 * records of that moment are kept until the reader has read them. The reader must still FREEZE
 * the rings before it reads them. While rings are frozen no call triggers: all calls are lost.
 *
 * Every argument begins with struct fargs_head. Reserved fields, and fields that the module
 * does not know, must be 0. A call that fails with EINVAL, EEXIST, ENOENT, EPERM, ESRCH,
 * ESTALE, EBUSY, E2BIG, EIO or EOPNOTSUPP fills *head.error with the reason, if head.error is
 * not 0.
 *
 * open, BUFFER, ADD, START and FREEZE need CAP_PERFMON or CAP_SYS_ADMIN, checked at each call
 * and of its caller, whoever opened the device, and a kernel that is not locked down for
 * confidentiality. ADD also needs CAP_BPF or CAP_SYS_ADMIN for a layout that reads memory
 * (fargs_prog.h) or stack slots from FARGS_STACK_SLOTS_PLAIN on. All else needs the descriptor
 * alone: STOP, and reading the rings and counters of a session.
 *
 * A structure may grow at its end: the module accepts a larger one if the part that it does not
 * know is 0, and a smaller one as if the rest were 0.
 */
#ifndef _UAPI_FARGS_H
#define _UAPI_FARGS_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define FARGS_DEVICE		"/dev/fargs"

/* Changes when programs written for the previous number can no longer work. */
#define FARGS_ABI		1

#define FARGS_IOC_INFO		_IOWR(0xFA, 0, struct fargs_info)
#define FARGS_IOC_BUFFER	_IOWR(0xFA, 1, struct fargs_buffer)
#define FARGS_IOC_ADD		_IOWR(0xFA, 2, struct fargs_add)
#define FARGS_IOC_START		_IOWR(0xFA, 3, struct fargs_start)
#define FARGS_IOC_STOP		_IOWR(0xFA, 4, struct fargs_stop)
#define FARGS_IOC_STATS		_IOWR(0xFA, 5, struct fargs_stats)
#define FARGS_IOC_CLOCK		_IOWR(0xFA, 6, struct fargs_clock)
#define FARGS_IOC_FREEZE	_IOWR(0xFA, 7, struct fargs_freeze)
#define FARGS_IOC_ARRIVALS	_IOWR(0xFA, 8, struct fargs_arrivals)

#define FARGS_NONE		0xffffffffu

/**
 * struct fargs_error - why a call failed
 * @layout:	index of the faulty layout in the batch of ADD, or FARGS_NONE
 * @field:	byte offset of the faulty field, or FARGS_NONE: in the layout if @layout is not
 *		FARGS_NONE, else in the argument
 * @text:	one line for a person, NUL-terminated, without a full stop
 */
struct fargs_error {
	__u32 layout;
	__u32 field;
	char text[120];
};

/**
 * struct fargs_head - first member of every argument
 * @size:	bytes of the argument as the caller knows it, including this structure
 * @reserved:	0
 * @error:	address of a struct fargs_error, or 0
 */
struct fargs_head {
	__u32 size;
	__u32 reserved;
	__u64 error;
};

enum fargs_feature {
	FARGS_FEATURE_ENTRY = 1 << 0,	/* function entry, registers and stack */
	FARGS_FEATURE_TASKS = 1 << 1,	/* FARGS_START_TASKS, FARGS_START_EXCEPT */
	FARGS_FEATURE_FETCH = 1 << 2,	/* ENTRY programs of layouts */
	FARGS_FEATURE_RETURN = 1 << 3,	/* FARGS_LAYOUT_RETURN, RETURN programs */
	FARGS_FEATURE_OVERWRITE = 1 << 4,	/* FARGS_MODE_OVERWRITE, FREEZE */
	FARGS_FEATURE_DEFERRED = 1 << 5,	/* FARGS_LAYOUT_DEFERRED, FARGS_IOC_ARRIVALS */
	FARGS_FEATURE_SCOPE = 1 << 6,	/* FARGS_LAYOUT_SCOPE, SCOPE programs */
	FARGS_FEATURE_TPOINT = 1 << 7,	/* FARGS_LAYOUT_TPOINT */
	FARGS_FEATURE_TRIGGER = 1 << 8,	/* FARGS_LAYOUT_TRIGGER, TRIGGER programs */
	FARGS_FEATURE_SWITCHES = 1 << 9,	/* FARGS_START_SWITCHES */
	FARGS_FEATURE_NO_FUNCS = 1 << 10,	/* FARGS_START_NO_FUNCS */
	FARGS_FEATURE_MISSED = 1 << 11,	/* fargs_stats.funcs, nr_funcs, maxactive */
};

/* Capture paths, each with one instruction that allocates sequence numbers. */
enum fargs_path {
	FARGS_PATH_PLAIN = 0,	/* layouts without programs */
	FARGS_PATH_FETCH = 1,	/* layouts with ENTRY programs */
	/* FARGS_LAYOUT_RETURN or _SCOPE, at the call and at the return */
	FARGS_PATH_RETURN = 2,
	FARGS_PATH_TPOINT = 3,	/* FARGS_LAYOUT_TPOINT */
	FARGS_PATHS = 4,
};

/**
 * struct fargs_info - version, limits and features of the module (all out)
 * @abi:	FARGS_ABI; to be compared before anything else is used
 * @nr_cpus:	possible CPUs: rings are numbered 0 .. nr_cpus - 1
 * @features:	bits of enum fargs_feature
 * @tsc_khz:	rate of the time stamp counter
 * @tsc_stable:	1: the kernel's perf clock follows the TSC, alike on all CPUs
 * @page_size:	bytes of a page
 * @layouts_max: most layouts of a session
 * @buffer_min, @buffer_max: least and most bytes of a ring's data
 * @tif_resched, @tif_resched_lazy: masks for fargs_record.tif; 0: unknown
 * @seq_site:	address of the instruction that allocates sequence numbers, indexed by
 *		enum fargs_path; 0: no such path
 * @version:	version of the module, for a person
 * @release:	release of the kernel, as uname -r prints it
 */
struct fargs_info {
	struct fargs_head head;
	__u32 abi;
	__u32 nr_cpus;
	__u64 features;
	__u32 tsc_khz;
	__u32 tsc_stable;
	__u32 page_size;
	__u32 layouts_max;
	__u64 buffer_min;
	__u64 buffer_max;
	__u16 tif_resched;
	__u16 tif_resched_lazy;
	__u32 reserved;
	__u64 seq_site[4];
	char version[32];
	char release[64];
};

enum fargs_mode {
	FARGS_MODE_DROP = 0,	/* a full ring drops new records, and counts them */
	FARGS_MODE_OVERWRITE = 1,	/* new records overwrite the oldest: see fargs_ring.h */
};

/**
 * struct fargs_buffer - create the rings
 * @bytes:	bytes of data in each CPU's ring, a power of two from buffer_min to buffer_max
 * @mode:	enum fargs_mode
 * @watermark:	unread bytes in a ring at which poll(2) wakes up, from 4096 to half of @bytes;
 *		0: a quarter. A reader should also poll with a timeout.
 *		FARGS_MODE_OVERWRITE: 0
 */
struct fargs_buffer {
	struct fargs_head head;
	__u64 bytes;
	__u32 mode;
	__u32 watermark;
};

enum fargs_add_flags {
	/*
	 * A layout with a status other than 0 is skipped instead of failing the whole batch: its
	 * function is not traceable or has a layout already, it has stack slots that the caller
	 * may not read, or another reason of fargs_layout.status.
	 */
	FARGS_ADD_SKIP = 1 << 0,
};

/**
 * struct fargs_add - add functions: all of them or none, unless FARGS_ADD_SKIP
 * @layouts:	address of the layouts, see fargs_layout.h; their out fields are written even if
 *		the call fails, once all layouts are well-formed
 * @bytes:	bytes of all layouts together
 * @nr:		number of layouts
 * @flags:	enum fargs_add_flags
 * @nr_added:	out: number of layouts added
 */
struct fargs_add {
	struct fargs_head head;
	__u64 layouts;
	__u64 bytes;
	__u32 nr;
	__u32 flags;
	__u32 nr_added;
	__u32 reserved;
};

enum fargs_start_flags {
	/* Traces only the given tasks, and the tasks that they fork from now on. */
	FARGS_START_TASKS = 1 << 0,
	/*
	 * Traces all tasks but the given ones and the threads that these create from now on;
	 * processes that they fork are traced. For a reader, whose own calls would fill the
	 * rings faster than it reads.
	 */
	FARGS_START_EXCEPT = 1 << 1,
	/*
	 * FARGS_MODE_OVERWRITE only: a call that triggers freezes the rings. Each ring is still
	 * written up to the end of its newest sub-buffer at most.
	 */
	FARGS_START_FREEZE = 1 << 2,
	/* SWITCH records of all tasks on all CPUs, and TASK records of all, which name them */
	FARGS_START_SWITCHES = 1 << 3,
	/* The session need not have functions: without any, its rings get TASK records alone. */
	FARGS_START_NO_FUNCS = 1 << 4,
};

/**
 * struct fargs_start - arm all layouts that were added
 * @flags:	bits of enum fargs_start_flags, not both TASKS and EXCEPT
 * @nr_tids:	number of @tids; 0 without TASKS and EXCEPT
 * @tids:	address of __s32 task ids, in the caller's pid namespace
 * @maxactive:	calls that can wait for their return at the same time, at most 65536; 0: a
 *		default that depends on the number of CPUs. Further calls are missed, and counted
 * @reserved:	0
 */
struct fargs_start {
	struct fargs_head head;
	__u32 flags;
	__u32 nr_tids;
	__u64 tids;
	__u32 maxactive;
	__u32 reserved;
};

/**
 * struct fargs_stop - disarm all layouts; no record is written after it returns
 */
struct fargs_stop {
	struct fargs_head head;
};

/**
 * struct fargs_freeze - freeze the rings of a running session, or thaw them
 * @is_frozen:	1: freeze: no record is written after it returns, the rings can be read, and
 *		calls are counted as lost. 0: thaw, as START does
 * @reserved:	0
 */
struct fargs_freeze {
	struct fargs_head head;
	__u32 is_frozen;
	__u32 reserved;
};

/**
 * struct fargs_cpu_stats - counters of one CPU's ring since BUFFER
 * @produced:	sequence numbers allocated
 * @lost:	of @produced: calls dropped because the ring was full or frozen, because no slot
 *		was free to wait for their return, or because they were made inside a program or
 *		another tracer's callback, where no program may run
 * @rejected:	of @produced: calls rejected by a predicate
 * @lost_pending: of @lost: calls that no LOST record has reported yet
 * @lost_tasks:	TASK records dropped: names of tasks may be out of date
 * @data_head:	fargs_ring_head.data_head
 * @unreadable:	of @rejected: calls for which a predicate could not read a value that it tests
 * @missed:	of @lost: calls of traced tasks that no slot was free for (fargs_start.maxactive)
 */
struct fargs_cpu_stats {
	__u64 produced;
	__u64 lost;
	__u64 rejected;
	__u64 lost_pending;
	__u64 lost_tasks;
	__u64 data_head;
	__u64 unreadable;
	__u64 missed;
};

enum fargs_state {
	FARGS_STATE_PREPARED = 0,
	FARGS_STATE_RUNNING = 1,
	FARGS_STATE_STOPPED = 2,
};

/**
 * struct fargs_func_stats - missed calls of one function since the session was opened
 * @ip:		fentry address of the function, as in records
 * @from_tsc:	fargs_arrival.tsc of its last arrival, if its layout is deferred; else 0
 * @missed:	calls of traced tasks that no slot was free for (fargs_start.maxactive). They
 *		have sequence numbers
 * @missed_any:	calls of any task, traced or not, that the kernel's own return probes missed, if
 *		the kernel counts them by function; part of fargs_stats.nr_missed
 * @too_deep:	calls, of functions of this session or of another user of the kernel's function
 *		graph tracer, that traced tasks made inside calls of this function, and for which
 *		the kernel's shadow stack had no room. Each is counted once, for the innermost
 *		call that returned. They have no sequence numbers
 */
struct fargs_func_stats {
	__u64 ip;
	__u64 from_tsc;
	__u64 missed;
	__u64 missed_any;
	__u64 too_deep;
};

/**
 * struct fargs_stats - counters of the session
 * @cpus:	address of an array of struct fargs_cpu_stats, indexed by CPU, or 0
 * @nr_cpus:	in: room in @cpus, in elements; out: number of rings
 * @state:	out: enum fargs_state
 * @nr_layouts:	out: layouts of the session
 * @nr_dropped:	out: of @nr_layouts: those that are no longer traced because their module was
 *		unloaded, without deferred ones, which wait for it to be loaded again
 * @nr_missed:	out: calls that the kernel's own return probes missed, which have no sequence
 *		number. The kernel counts calls of any task, traced or not: an upper bound for
 *		traced tasks
 * @nr_pending:	out: calls that had not returned when the session was stopped, or, while it is
 *		running, have not returned yet
 * @nr_deferred: out: of @nr_layouts: deferred ones
 * @nr_here:	out: of @nr_deferred: those whose function is loaded now
 * @nr_unmarked: out: calls of FARGS_LAYOUT_SCOPE whose task could not be put in scope: too
 *		many tasks were in scope at the same time (fargs_start.maxactive)
 * @nr_untold:	out: calls of FARGS_LAYOUT_SCOPE that the SCOPE program rejected after it could
 *		not read a value that it tests
 * @nr_triggers: out: calls that triggered since BUFFER
 * @nr_switches: out: context switches counted since BUFFER
 * @nr_lost_switches: out: of @nr_switches: those without a SWITCH record, for lack of room
 * @funcs:	address of an array of struct fargs_func_stats, or 0: filled with the functions
 *		that have missed calls, in no particular order
 * @nr_funcs:	in: room in @funcs, in elements; out: number of functions that have missed calls,
 *		of which those beyond the room are not written
 * @maxactive:	out: calls that could wait for their return at the same time since the last
 *		START; 0: there was no return probe
 */
struct fargs_stats {
	struct fargs_head head;
	__u64 cpus;
	__u32 nr_cpus;
	__u32 state;
	__u32 nr_layouts;
	__u32 nr_dropped;
	__u64 nr_missed;
	__u64 nr_pending;
	__u32 nr_deferred;
	__u32 nr_here;
	__u64 nr_unmarked;
	__u64 nr_untold;
	__u64 nr_triggers;
	__u64 nr_switches;
	__u64 nr_lost_switches;
	__u64 funcs;
	__u32 nr_funcs;
	__u32 maxactive;
};

/* Bits of fargs_clock_sample.is_valid. */
enum fargs_clock_flags {
	FARGS_CLOCK_VALID = 1 << 0,	/* the CPU was sampled */
	/*
	 * The kernel does not trust the TSC. If this is clear and fargs_info.tsc_stable is 1, one
	 * function of the TSC gives the perf clock of all CPUs.
	 */
	FARGS_CLOCK_UNSTABLE = 1 << 1,
};

/**
 * struct fargs_clock_sample - the clocks of one CPU at one moment
 * @tsc:	time stamp counter
 * @perf_ns:	clock of perf_event_open(2) on that CPU, in ns. With FARGS_CLOCK_UNSTABLE: the
 *		clock that it follows, which is CLOCK_MONOTONIC plus an offset in ns that is the
 *		same on all CPUs; the perf clock of a CPU may lag it until the CPU's next tick
 * @mono_ns:	CLOCK_MONOTONIC in ns, read a little later. With FARGS_CLOCK_UNSTABLE: the
 *		reading that @perf_ns was computed from, so the difference is that offset
 * @real_ns:	CLOCK_REALTIME in ns, read a little later
 * @width_tsc:	TSC ticks within which @tsc and @perf_ns were read
 * @is_valid:	bits of enum fargs_clock_flags; 0: the CPU was offline
 */
struct fargs_clock_sample {
	__u64 tsc;
	__u64 perf_ns;
	__u64 mono_ns;
	__u64 real_ns;
	__u32 width_tsc;
	__u32 is_valid;
};

/**
 * struct fargs_clock - sample the clocks of each online CPU
 * @samples:	address of an array of struct fargs_clock_sample, indexed by CPU
 * @nr_cpus:	in: room in @samples, in elements; out: number of possible CPUs
 * @reserved:	0
 */
struct fargs_clock {
	struct fargs_head head;
	__u64 samples;
	__u32 nr_cpus;
	__u32 reserved;
};

/**
 * struct fargs_arrival - outcome for a deferred layout when its module was loaded
 * @addr:	address of the function, as in kallsyms; 0: it is not traced
 * @ip:		fentry address of the function, as in records
 * @tsc:	time from which @ip is this function, until a later arrival has the same @ip; no
 *		record of the function is older
 * @layout:	fargs_layout.ip of the layout, as written by ADD
 * @status:	0: the function is traced; -ENOENT: the module has no such function; -ESTALE:
 *		the module is another build; -EINVAL, -EEXIST and -EOPNOTSUPP: as in
 *		fargs_layout.status; or another error of the kernel, such as -ENOMEM
 */
struct fargs_arrival {
	__u64 addr;
	__u64 ip;
	__u64 tsc;
	__u32 layout;
	__s32 status;
};

/**
 * struct fargs_arrivals - get arrivals, oldest first
 *
 * Arrivals are not records, since rings may lose records: they are kept until they have been
 * fetched. An arrival is available before the first record of its function: a reader that reads
 * the rings first and then gets the arrivals knows the functions of all records that it read.
 *
 * @first:	number of the first arrival to get, counted from 0 since the session was opened;
 *		earlier ones are freed
 * @arrivals:	address of an array of struct fargs_arrival
 * @nr:		in: room in @arrivals, in elements; out: number of arrivals written. Less than
 *		the room: there are no more
 * @reserved:	0
 */
struct fargs_arrivals {
	struct fargs_head head;
	__u64 first;
	__u64 arrivals;
	__u32 nr;
	__u32 reserved;
};

#endif
