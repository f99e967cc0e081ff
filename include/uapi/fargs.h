/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs: the ioctls of /dev/fargs.
 *
 * Each open file is a session: it owns its layouts, probes and rings, and all
 * of them go when its last descriptor and mapping are gone. Sessions know
 * nothing of each other. The order of a session's life:
 *
 *	open			prepared
 *	FARGS_IOC_BUFFER	once; rings exist and can be mapped
 *	FARGS_IOC_ADD		any number of times while not running
 *	FARGS_IOC_START		running
 *	FARGS_IOC_FREEZE	if its rings overwrite: they stand still, or go on
 *	FARGS_IOC_STOP		stopped; probes are gone, rings can be read on;
 *				may be followed by ADD and START
 *	close
 *
 * INFO, STATS, CLOCK and ARRIVALS can be asked at any time.
 *
 * When the last function or tracepoint of a running session goes with its module, and no
 * deferred one is waited for, the session stops by itself, unless START asked for more
 * (FARGS_START_SWITCHES, FARGS_START_NO_FUNCS). While it is stopped, either way, poll(2) says
 * POLLRDHUP to who asks for that.
 *
 * A call can trigger (FARGS_LAYOUT_TRIGGER in fargs_layout.h). From then on poll(2) says
 * POLLPRI, until FREEZE lets the rings go on, or START; it is woken once, as soon as
 * may be: a reader should look now and then without being woken, too. With
 * FARGS_START_FREEZE the rings stop overwriting at once: what is newest when a call
 * triggers will be there, however late the reader comes, which has to FREEZE them all the
 * same before it reads. While rings stand still no call triggers: all are lost.
 *
 * Every argument begins with struct fargs_head. Reserved and unknown fields
 * must be zero. A call that fails with EINVAL, EEXIST, EPERM, ESRCH, EBUSY, E2BIG or
 * EOPNOTSUPP has told the reason in *head.error, if one was given.
 *
 * open, BUFFER, ADD, START and FREEZE need CAP_PERFMON or CAP_SYS_ADMIN, of the caller each
 * time, whoever opened the device, and a kernel that is not locked down for confidentiality.
 * For a layout that reads memory (fargs_prog.h), or stack slots from FARGS_STACK_SLOTS_PLAIN
 * on, ADD also needs CAP_BPF or CAP_SYS_ADMIN. The rest needs nothing but the descriptor: STOP,
 * and to read the rings and counters of a session.
 *
 * A structure may grow at its end: the module accepts a larger one when what it
 * does not know is zero, and a smaller one as if the rest were zero.
 */
#ifndef _UAPI_FARGS_H
#define _UAPI_FARGS_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define FARGS_DEVICE		"/dev/fargs"

/* Changes when a program written for another number cannot work. */
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
 * struct fargs_error - what was wrong, for a person
 * @layout:	index of the layout in the batch, or FARGS_NONE
 * @field:	byte offset of the field in the argument, or in the layout if
 *		@layout is one, or FARGS_NONE
 * @text:	one line, NUL-terminated, without a full stop
 */
struct fargs_error {
	__u32 layout;
	__u32 field;
	char text[120];
};

/**
 * struct fargs_head - the beginning of every argument
 * @size:	bytes of the argument as the caller knows it, this included
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

/* Capture paths, each with one instruction that takes sequence numbers. */
enum fargs_path {
	FARGS_PATH_PLAIN = 0,	/* layouts without programs */
	FARGS_PATH_FETCH = 1,	/* layouts with ENTRY programs */
	/* FARGS_LAYOUT_RETURN or _SCOPE, at the call and at the return */
	FARGS_PATH_RETURN = 2,
	FARGS_PATH_TPOINT = 3,	/* FARGS_LAYOUT_TPOINT */
	FARGS_PATHS = 4,
};

/**
 * struct fargs_info - what this module is and can do (all out)
 * @abi:	FARGS_ABI; to be compared before anything else is used
 * @nr_cpus:	possible CPUs: rings are numbered 0 .. nr_cpus - 1
 * @features:	enum fargs_feature
 * @tsc_khz:	rate of the time stamp counter
 * @tsc_stable:	1: the kernel's perf clock follows the TSC, alike on all CPUs
 * @page_size:	bytes
 * @buffer_min, @buffer_max: bytes of a ring's data
 * @layouts_max: layouts a session can have
 * @tif_resched, @tif_resched_lazy: masks for fargs_record.tif; 0: not known
 * @seq_site:	address of the instruction that takes the sequence number, by
 *		enum fargs_path; 0: no such path
 * @version:	of the module, for a person
 * @release:	of the kernel, as uname -r
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
	FARGS_MODE_DROP = 0,	/* a full ring drops what is new, and counts it */
	FARGS_MODE_OVERWRITE = 1,	/* or what is oldest: see fargs_ring.h */
};

/**
 * struct fargs_buffer - make the rings
 * @bytes:	of data in each CPU's ring, a power of two, from buffer_min to
 *		buffer_max
 * @mode:	enum fargs_mode
 * @watermark:	a poll(2) wakes up when a ring holds this many unread bytes, from
 *		4096 to half of @bytes; 0: a quarter. A reader should look now and
 *		then without being woken, too. FARGS_MODE_OVERWRITE: 0
 */
struct fargs_buffer {
	struct fargs_head head;
	__u64 bytes;
	__u32 mode;
	__u32 watermark;
};

enum fargs_add_flags {
	/*
	 * A layout whose function is not traceable, has a layout already, or has more stack
	 * slots than the caller may read, gets its status and is left out, instead of
	 * failing the whole batch.
	 */
	FARGS_ADD_SKIP = 1 << 0,
};

/**
 * struct fargs_add - add functions; all or none of them, unless FARGS_ADD_SKIP
 * @layouts:	address of the layouts, see fargs_layout.h; their out fields are
 *		written, also when the call fails
 * @bytes:	of the layouts together
 * @nr:		number of layouts
 * @flags:	enum fargs_add_flags
 * @nr_added:	out
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
	/* Only the given tasks, and what they fork from now on. */
	FARGS_START_TASKS = 1 << 0,
	/*
	 * All but the given tasks and the threads that they make from now on; processes
	 * that they fork are traced. For a reader, whose own calls would fill the rings
	 * faster than it reads.
	 */
	FARGS_START_EXCEPT = 1 << 1,
	/*
	 * Of FARGS_MODE_OVERWRITE: a call that triggers freezes the rings. Each goes on to
	 * the end of its newest sub-buffer at most
	 */
	FARGS_START_FREEZE = 1 << 2,
	/* SWITCH records, of all tasks, on all CPUs; and TASK records of all, which name them */
	FARGS_START_SWITCHES = 1 << 3,
	/* There may be no function: TASK records come alone, and nothing else takes their room. */
	FARGS_START_NO_FUNCS = 1 << 4,
};

/**
 * struct fargs_start - arm everything that was added
 * @flags:	enum fargs_start_flags, not both TASKS and EXCEPT
 * @nr_tids:	number of tids; 0 without TASKS and EXCEPT
 * @tids:	address of __s32 task ids, in the caller's pid namespace
 * @maxactive:	calls whose return can be waited for at the same time; 0: a
 *		number that suits the machine; at most 65536. Others are missed, and
 *		counted
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
 * struct fargs_stop - disarm; when it returns no record is written any more
 */
struct fargs_stop {
	struct fargs_head head;
};

/**
 * struct fargs_freeze - let the rings of a running session stand still, or go on
 * @is_frozen:	1: when it returns no record is written any more, and what is in the
 *		rings can be read; calls are counted as lost. 0: they go on. START lets
 *		them go on, too
 * @reserved:	0
 */
struct fargs_freeze {
	struct fargs_head head;
	__u32 is_frozen;
	__u32 reserved;
};

/**
 * struct fargs_cpu_stats - counters of one CPU's ring since BUFFER
 * @produced:	sequence numbers taken
 * @lost:	of those, dropped because the ring was full, or because the call came from
 *		within a program or another tracer's callback, where none may be run
 * @rejected:	of those, refused by a predicate
 * @lost_pending: of @lost, not yet told by a LOST record
 * @lost_tasks:	TASK records dropped: names of tasks may be out of date
 * @data_head:	position, as in the ring
 * @unreadable:	of @rejected, those where a predicate could not read what it asks for
 * @missed:	of @lost, calls whose return could not be waited for (maxactive): of
 *		traced tasks alone
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
 * struct fargs_func_stats - calls of one function that were missed since the session was opened
 * @ip:		its fentry address, as records give it
 * @from_tsc:	fargs_arrival.tsc of its last arrival, if its layout is deferred; else 0
 * @missed:	calls of traced tasks whose return could not be waited for (maxactive). These
 *		have sequence numbers
 * @missed_any:	calls of any task, traced or not, that the kernel's own return probes missed,
 *		where it counts them by function; of @nr_missed of struct fargs_stats
 * @too_deep:	calls, of functions of this session or of another user of the kernel's function
 *		graph tracer, that traced tasks made inside calls of this function, and for which
 *		the kernel's shadow stack had no room. Each is counted once, for the innermost
 *		call that returned. These have no sequence numbers
 */
struct fargs_func_stats {
	__u64 ip;
	__u64 from_tsc;
	__u64 missed;
	__u64 missed_any;
	__u64 too_deep;
};

/**
 * struct fargs_stats - counters
 * @cpus:	address of struct fargs_cpu_stats, or 0
 * @nr_cpus:	number of them there is room for; out: number of rings
 * @state:	out: enum fargs_state
 * @nr_layouts:	out: layouts of the session
 * @nr_dropped:	out: of those, no longer traced because their module went; without
 *		deferred ones, which wait for it to come again
 * @nr_missed:	out: calls that the kernel's own return probes missed, without a number: of
 *		any task, traced or not, so that traced ones missed at most as many
 * @nr_pending:	out: calls that had not returned when the session was stopped, or
 *		have not now
 * @nr_deferred: out: of @nr_layouts, deferred ones
 * @nr_here:	out: of those, whose function is there now
 * @nr_unmarked: out: calls of FARGS_LAYOUT_SCOPE whose task could not be kept track of:
 *		more were inside at the same time than there is room for (maxactive)
 * @nr_untold:	out: calls of FARGS_LAYOUT_SCOPE about which the SCOPE program asks for
 *		what could not be read
 * @nr_triggers: out: calls that triggered since BUFFER
 * @nr_switches: out: context switches counted since BUFFER
 * @nr_lost_switches: out: of those, without a SWITCH record: there was no room
 * @funcs:	address of struct fargs_func_stats, or 0: those of functions of which calls were
 *		missed are written, in no order
 * @nr_funcs:	number of them there is room for; out: functions of which calls were missed. If
 *		there are more than there is room for, the others are not written
 * @maxactive:	out: calls whose return could be waited for at the same time since the last
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

/* What is said of a struct fargs_clock_sample: bits of is_valid. */
enum fargs_clock_flags {
	FARGS_CLOCK_VALID = 1 << 0,	/* there is one */
	/*
	 * The kernel does not trust the TSC. Without, and with tsc_stable of struct fargs_info,
	 * one function of the TSC is the perf clock of all CPUs.
	 */
	FARGS_CLOCK_UNSTABLE = 1 << 1,
};

/**
 * struct fargs_clock_sample - the clocks of one CPU at one moment
 * @tsc:	time stamp counter
 * @perf_ns:	the clock of perf_event_open(2) on that CPU, in ns; with
 *		FARGS_CLOCK_UNSTABLE what that clock is to follow: CLOCK_MONOTONIC and a
 *		number of ns that is the same on all CPUs. The clock itself may be behind,
 *		and CPUs apart, until their next tick.
 * @mono_ns:	CLOCK_MONOTONIC in ns, a little later; with FARGS_CLOCK_UNSTABLE of the very
 *		reading that @perf_ns is made of, which is that number of ns further
 * @real_ns:	CLOCK_REALTIME in ns, a little later
 * @width_tsc:	TSC ticks within which @tsc and @perf_ns were read
 * @is_valid:	enum fargs_clock_flags; 0: the CPU was offline
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
 * struct fargs_clock - one sample on each online CPU
 * @samples:	address of struct fargs_clock_sample, indexed by CPU
 * @nr_cpus:	number of them there is room for; out: number of possible CPUs
 */
struct fargs_clock {
	struct fargs_head head;
	__u64 samples;
	__u32 nr_cpus;
	__u32 reserved;
};

/**
 * struct fargs_arrival - what became of a deferred layout when its module came
 * @addr:	of the function, as kallsyms gives it; 0: it was not found
 * @ip:		its fentry address, as records give it
 * @tsc:	no record of it is older: from then on @ip is this function, until a
 *		later arrival has the same @ip
 * @layout:	fargs_layout.ip, as ADD gave it
 * @status:	0: it is traced; -ENOENT: the module has no such function; -ESTALE: it
 *		is another build of the module; -EINVAL, -EEXIST and -EOPNOTSUPP as in
 *		fargs_layout.status; or what kept the kernel from it, like -ENOMEM
 */
struct fargs_arrival {
	__u64 addr;
	__u64 ip;
	__u64 tsc;
	__u32 layout;
	__s32 status;
};

/**
 * struct fargs_arrivals - ask for arrivals, in their order
 *
 * Records are not enough to know them: rings lose records. So arrivals are kept until
 * they have been asked for. An arrival is there before the first record of its
 * function: who reads the rings first, then asks, knows the functions of all that
 * was read.
 *
 * @first:	number of the first one wanted, counted from 0 since the session was
 *		opened. Those before it are forgotten
 * @arrivals:	address of struct fargs_arrival
 * @nr:		number of them there is room for; out: written. Less than there is
 *		room for: these were all
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
