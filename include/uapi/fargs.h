/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fargs: the ioctls of /dev/fargs.
 *
 * Each open file is a session, which owns its layouts, probes and rings. They are freed once the
 * session's last descriptor and last mapping are closed. Sessions are independent of each other.
 * The life of a session:
 *
 *	open			prepared
 *	FARGS_IOC_BUFFER	once: creates the rings, which can be mapped afterwards
 *	FARGS_IOC_ADD		any number of times while the session is not running
 *	FARGS_IOC_START		running
 *	FARGS_IOC_FREEZE	FARGS_MODE_OVERWRITE only: freezes the rings, or thaws them
 *	FARGS_IOC_STOP		stopped: the probes are removed, the rings can still be read;
 *				ADD and START may follow
 *	close
 *
 * INFO, STATS, CLOCK and ARRIVALS are allowed at any time.
 *
 * If no layout of a running session has FARGS_LAYOUT_DEFERRED or _RELOAD set, the session stops by
 * itself when the module of its last function or tracepoint is unloaded, unless the session was
 * started with FARGS_START_SWITCHES or FARGS_START_NO_FUNCS. While a session is stopped, by itself
 * or by STOP, poll(2) reports POLLRDHUP to callers that request it.
 *
 * A call of a function with FARGS_LAYOUT_TRIGGER (fargs_layout.h) can fire the trigger. After a
 * trigger, poll(2) reports POLLPRI until FREEZE thaws the rings, or until the next START. A
 * trigger usually wakes the reader, once and as soon as possible; since the wake-up is not
 * guaranteed, a reader should also poll with a timeout. With FARGS_START_FREEZE a trigger
 * immediately stops the overwriting of records in all rings, so that the records before the
 * trigger are kept until the reader has read them. The reader must still FREEZE the rings before
 * it reads them. While the rings are frozen, all calls are lost, and none can trigger.
 *
 * Every argument begins with struct fargs_head. Reserved fields, and fields unknown to the
 * module, must be 0. An ioctl that fails with EINVAL, EEXIST, ENOENT, EPERM, ESRCH, ESTALE,
 * EBUSY, E2BIG, EIO or EOPNOTSUPP writes the reason to the struct fargs_error at head.error, if
 * head.error is not 0.
 *
 * open, BUFFER, ADD, START and FREEZE need CAP_PERFMON or CAP_SYS_ADMIN, and a kernel that is
 * not locked down for confidentiality. Each of them checks the capabilities of its own caller,
 * not of the task that opened the device. ADD also needs CAP_BPF or CAP_SYS_ADMIN for a layout
 * that reads memory (fargs_prog.h) or stack slots from FARGS_STACK_SLOTS_PLAIN on. All other
 * operations, such as STOP and reading a session's rings and counters, need only the descriptor.
 *
 * A structure may grow at its end: the module accepts a larger structure if the part unknown to
 * it is 0, and treats the missing end of a smaller structure as 0.
 */
#ifndef _UAPI_FARGS_H
#define _UAPI_FARGS_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define FARGS_DEVICE		"/dev/fargs"

/* Version of this interface; changes when user space built for the old version no longer works. */
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
 * @field:	byte offset of the faulty field, in the layout or, if @layout is FARGS_NONE, in
 *		the argument of the ioctl; FARGS_NONE: no particular field
 * @text:	the reason as one line of text, NUL-terminated, without a full stop
 */
struct fargs_error {
	__u32 layout;
	__u32 field;
	char text[120];
};

/**
 * struct fargs_head - first member of every argument
 * @size:	bytes of the argument as defined in the caller's header, including this structure
 * @reserved:	0
 * @error:	address of a struct fargs_error, or 0
 */
struct fargs_head {
	__u32 size;
	__u32 reserved;
	__u64 error;
};

enum fargs_feature {
	FARGS_FEATURE_ENTRY = 1 << 0,	/* capture at function entry: registers, stack slots */
	FARGS_FEATURE_TASKS = 1 << 1,	/* FARGS_START_TASKS, FARGS_START_EXCEPT */
	FARGS_FEATURE_FETCH = 1 << 2,	/* programs ENTRY_PREDICATE and ENTRY_FETCH */
	FARGS_FEATURE_RETURN = 1 << 3,	/* FARGS_LAYOUT_RETURN, RETURN programs */
	FARGS_FEATURE_OVERWRITE = 1 << 4,	/* FARGS_MODE_OVERWRITE, FARGS_IOC_FREEZE */
	FARGS_FEATURE_DEFERRED = 1 << 5,	/* FARGS_LAYOUT_DEFERRED, FARGS_IOC_ARRIVALS */
	FARGS_FEATURE_SCOPE = 1 << 6,	/* FARGS_LAYOUT_SCOPE, SCOPE programs */
	FARGS_FEATURE_TPOINT = 1 << 7,	/* FARGS_LAYOUT_TPOINT */
	FARGS_FEATURE_TRIGGER = 1 << 8,	/* FARGS_LAYOUT_TRIGGER, TRIGGER programs */
	FARGS_FEATURE_SWITCHES = 1 << 9,	/* FARGS_START_SWITCHES */
	FARGS_FEATURE_NO_FUNCS = 1 << 10,	/* FARGS_START_NO_FUNCS */
	FARGS_FEATURE_MISSED = 1 << 11,	/* funcs, nr_funcs and maxactive in struct fargs_stats */
	/* FARGS_LAYOUT_RELOAD, FARGS_SYMBOL_UNIQUE, FARGS_ADD_TPOINT_ARRIVALS */
	FARGS_FEATURE_RELOAD = 1 << 12,
	FARGS_FEATURE_PATH = 1 << 13,	/* FARGS_OP_PUT_PATH */
	FARGS_FEATURE_EXEC = 1 << 14,	/* fargs_start.exec_tid */
};

/* Capture paths: see seq_site and several_site in struct fargs_info. */
enum fargs_path {
	FARGS_PATH_PLAIN = 0,	/* layouts for which no other path is used */
	FARGS_PATH_FETCH = 1,	/* layouts with ENTRY programs or FARGS_LAYOUT_TRIGGER */
	/* layouts with FARGS_LAYOUT_RETURN or _SCOPE: their functions' calls and returns */
	FARGS_PATH_RETURN = 2,
	FARGS_PATH_TPOINT = 3,	/* layouts with FARGS_LAYOUT_TPOINT */
	FARGS_PATHS = 4,
};

/**
 * struct fargs_info - version, limits and features of the module (all out)
 * @abi:	FARGS_ABI of the module; to be compared before any other field is used
 * @nr_cpus:	possible CPUs: rings are numbered 0 .. nr_cpus - 1
 * @features:	bits of enum fargs_feature
 * @tsc_khz:	rate of the time stamp counter
 * @tsc_stable:	1: the kernel's perf clock is computed from the TSC, in the same way on all CPUs
 * @page_size:	bytes of a page
 * @layouts_max: maximum number of layouts in a session
 * @buffer_min, @buffer_max: minimum and maximum number of bytes of data in a ring
 * @tif_resched, @tif_resched_lazy: the bits of fargs_record.tif that request rescheduling; 0:
 *		unknown
 * @returns_max: maximum number of functions with a return probe (FARGS_LAYOUT_RETURN or _SCOPE) in
 *		a session; 0: no limit, or the module is too old to report it
 * @seq_site:	address of the instruction that allocates sequence numbers, indexed by
 *		enum fargs_path; 0: no such path
 * @version:	version of the module, as text
 * @release:	release of the kernel, as uname -r prints it
 * @several_site: like @seq_site, of the first two paths, for calls of functions that several
 *		running sessions trace; 0: the module is too old: @seq_site has all
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
	__u32 returns_max;
	__u64 seq_site[4];
	char version[32];
	char release[64];
	__u64 several_site[2];
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
 *		0: a quarter of @bytes. A reader should also poll with a timeout.
 *		Must be 0 with FARGS_MODE_OVERWRITE
 */
struct fargs_buffer {
	struct fargs_head head;
	__u64 bytes;
	__u32 mode;
	__u32 watermark;
};

enum fargs_add_flags {
	/*
	 * A layout that gets a status other than 0 is skipped; without this flag, it makes the
	 * whole ioctl fail. For the possible reasons see fargs_layout.status.
	 */
	FARGS_ADD_SKIP = 1 << 0,
	/*
	 * Report an arrival of a tracepoint with FARGS_LAYOUT_DEFERRED or _RELOAD whenever its
	 * module is loaded.
	 */
	FARGS_ADD_TPOINT_ARRIVALS = 1 << 1,
};

/**
 * struct fargs_add - add layouts: all of them or none, unless FARGS_ADD_SKIP is set
 * @layouts:	address of the layouts, see fargs_layout.h; if all of them are well-formed, their
 *		out fields are written even if the ioctl fails
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
	/* Trace only the tasks in @tids, and the tasks that these fork after START. */
	FARGS_START_TASKS = 1 << 0,
	/*
	 * Trace all tasks except those in @tids and the threads that these create after START;
	 * processes that they fork are traced. Meant for readers, whose own calls would fill the
	 * rings faster than they read.
	 */
	FARGS_START_EXCEPT = 1 << 1,
	/*
	 * FARGS_MODE_OVERWRITE only: a call that triggers freezes the rings. After that, each ring
	 * is written at most up to the end of its current sub-buffer.
	 */
	FARGS_START_FREEZE = 1 << 2,
	/* Write SWITCH and TASK records for all tasks, traced or not, on all CPUs. */
	FARGS_START_SWITCHES = 1 << 3,
	/* Allow a session without functions, whose rings get no records of calls. */
	FARGS_START_NO_FUNCS = 1 << 4,
};

/**
 * struct fargs_start - arm all layouts that were added
 * @flags:	bits of enum fargs_start_flags; TASKS and EXCEPT exclude each other
 * @nr_tids:	number of @tids; 0 without TASKS and EXCEPT
 * @tids:	address of __s32 task ids, in the caller's pid namespace
 * @maxactive:	maximum number of calls that wait for their return at the same time, at most 65536;
 *		0: a default that depends on the number of CPUs. Calls beyond this number are
 *		missed, and counted. Additional room is reserved for calls that may trigger: an
 *		eighth of this number, but at least 64
 * @exec_tid:	id of a process, in the caller's pid namespace, that is traced only once it has
 *		executed a program: from the tracepoint sched_process_exec on, whether or not it is
 *		in @tids. Before that, it is not traced, and processes that it forks are traced
 *		only with EXCEPT. 0: none; must be 0 without TASKS and EXCEPT. Meant for a command
 *		that the caller has forked
 */
struct fargs_start {
	struct fargs_head head;
	__u32 flags;
	__u32 nr_tids;
	__u64 tids;
	__u32 maxactive;
	__s32 exec_tid;
};

/**
 * struct fargs_stop - disarm all layouts; no record is written after the ioctl returns
 */
struct fargs_stop {
	struct fargs_head head;
};

/**
 * struct fargs_freeze - freeze the rings of a running session, or thaw them
 * @is_frozen:	1: freeze the rings: after the ioctl returns, no record is written, the rings can
 *		be read, and calls are counted as lost. 0: thaw the rings, as START does
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
 * @lost:	part of @produced: calls dropped because the ring was full or frozen, because no
 *		slot was free to wait for their return, or because their programs would have had
 *		to run inside two nested programs (calls made by programs, page faults in them, or
 *		other tracers' callbacks)
 * @rejected:	part of @produced: calls rejected by a predicate
 * @lost_pending: part of @lost: calls that no LOST record has reported yet
 * @lost_tasks:	TASK records dropped: names of tasks may be out of date
 * @data_head:	fargs_ring_head.data_head
 * @unreadable:	part of @rejected: calls for which a predicate could not read a value that it
 *		tests
 * @missed:	part of @lost: calls of traced tasks for which no slot was free
 *		(fargs_start.maxactive)
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
 * @from_tsc:	fargs_arrival.tsc of its last arrival; 0: no arrival yet
 * @missed:	calls of traced tasks for which no slot was free (fargs_start.maxactive). They
 *		have sequence numbers
 * @missed_any:	calls of any task, traced or not, that the kernel's own return probes missed, if
 *		the kernel counts them per function; part of fargs_stats.nr_missed
 * @too_deep:	calls that traced tasks made inside calls of this function, and for which the
 *		kernel's shadow stack had no room; the functions called may belong to this session
 *		or to another user of the kernel's function graph tracer. Each such call is
 *		counted once, for the innermost enclosing call that returned. They have no
 *		sequence numbers
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
 * @nr_cpus:	in: number of elements that @cpus has room for; out: number of rings
 * @state:	out: enum fargs_state
 * @nr_layouts:	out: layouts of the session
 * @nr_dropped:	out: part of @nr_layouts: layouts no longer traced because their module was
 *		unloaded. Layouts with FARGS_LAYOUT_DEFERRED or _RELOAD, which wait for the module
 *		to be loaded again, are not counted
 * @nr_missed:	out: calls that the kernel's own return probes missed, which have no sequence
 *		number. The kernel counts calls of any task, traced or not, so this is an upper
 *		bound for traced tasks
 * @nr_pending:	out: calls that had not returned when the session was stopped, or, while it is
 *		running, have not returned yet
 * @nr_deferred: out: part of @nr_layouts: those with FARGS_LAYOUT_DEFERRED or _RELOAD
 * @nr_here:	out: part of @nr_deferred: layouts whose function is currently loaded
 * @nr_unmarked: out: calls of functions with FARGS_LAYOUT_SCOPE whose task could not be put in
 *		scope: at the same time, too many tasks were in scope, or too many calls waited for
 *		their return (fargs_start.maxactive)
 * @nr_untold:	out: calls of functions with FARGS_LAYOUT_SCOPE that the SCOPE program rejected
 *		after it could not read a value that it tests
 * @nr_triggers: out: calls that triggered since BUFFER
 * @nr_switches: out: context switches counted since BUFFER
 * @nr_lost_switches: out: part of @nr_switches: switches without a SWITCH record, for lack of
 *		room
 * @funcs:	address of an array of struct fargs_func_stats, or 0: filled with the functions
 *		that have missed calls, in no particular order
 * @nr_funcs:	in: number of elements that @funcs has room for; out: number of functions that
 *		have missed calls, including those for which there was no room
 * @maxactive:	out: maximum number of calls that could wait for their return at the same time,
 *		as of the last START, without the room that is reserved for calls that may trigger;
 *		0: the session had no return probes
 * @nr_missed_triggers: out: calls since BUFFER for which the RETURN_TRIGGER program did not run,
 *		although the TRIGGER program had accepted them: no slot was free, not even one
 *		reserved for them, or, with FARGS_LAYOUT_GRAPH, their ENTRY record was lost
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
	__u64 nr_missed_triggers;
};

/* Bits of fargs_clock_sample.is_valid. */
enum fargs_clock_flags {
	FARGS_CLOCK_VALID = 1 << 0,	/* the CPU was sampled */
	/*
	 * The kernel has marked the TSC unstable. If this bit is clear and
	 * fargs_info.tsc_stable is 1, the perf clock is the same function of the TSC on all
	 * CPUs.
	 */
	FARGS_CLOCK_UNSTABLE = 1 << 1,
};

/**
 * struct fargs_clock_sample - the clocks of one CPU at one moment
 * @tsc:	time stamp counter
 * @perf_ns:	clock of perf_event_open(2) on that CPU, in ns. With FARGS_CLOCK_UNSTABLE:
 *		CLOCK_MONOTONIC plus an offset in ns that is the same on all CPUs; the CPU's perf
 *		clock follows this clock, and may lag it until the CPU's next tick
 * @mono_ns:	CLOCK_MONOTONIC in ns, read shortly after @perf_ns. With FARGS_CLOCK_UNSTABLE:
 *		the reading from which @perf_ns was computed, so @perf_ns - @mono_ns is the offset
 * @real_ns:	CLOCK_REALTIME in ns, read shortly after @mono_ns
 * @width_tsc:	TSC ticks between two reads of the TSC, before and after @perf_ns (with
 *		FARGS_CLOCK_UNSTABLE: @mono_ns) was read; @tsc is the mean of the two
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
 * @nr_cpus:	in: number of elements that @samples has room for; out: number of possible CPUs
 * @reserved:	0
 */
struct fargs_clock {
	struct fargs_head head;
	__u64 samples;
	__u32 nr_cpus;
	__u32 reserved;
};

/**
 * struct fargs_arrival - result for a layout with FARGS_LAYOUT_DEFERRED or _RELOAD when its module
 *	was loaded
 * @addr:	address of the function, as in kallsyms; tracepoint: that of the function
 *		__traceiter_NAME in its module; 0: it is not traced
 * @ip:		fentry address of the function, as in records; tracepoint: its number
 * @tsc:	time from which @ip is the address of this function, until a later arrival has
 *		the same @ip; all records of the function have this time or a later one
 * @layout:	number of the layout, as written by ADD: fargs_layout.ip or, with
 *		FARGS_LAYOUT_RELOAD, fargs_layout.number; FARGS_NONE: a tracepoint
 * @status:	0: the function is traced; -ENOENT: the module has no such function; -ENOTUNIQ:
 *		it has several (FARGS_SYMBOL_UNIQUE); -ESTALE: the module has a different build
 *		id; -EINVAL, -EEXIST and -EOPNOTSUPP: as in fargs_layout.status; or another error
 *		of the kernel, such as -ENOMEM
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
 * fetched. An arrival is available before the first record of its function. So a reader that
 * first reads the rings and then gets the arrivals can name the functions of all records read.
 *
 * @first:	number of the first arrival to get, counted from 0 since the session was opened;
 *		earlier ones are freed
 * @arrivals:	address of an array of struct fargs_arrival
 * @nr:		in: number of elements that @arrivals has room for; out: number of arrivals
 *		written; if less than the input, no further arrivals are available
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
