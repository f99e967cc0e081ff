/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All data besides the records themselves that are needed to show records. A live session fills
 * them in, or they are read from a trace file, so that both produce the same output.
 */
#ifndef FARGS_MODEL_META_H
#define FARGS_MODEL_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/guest/guests.h"
#include "kernel/module_id.h"
#include "model/origin.h"
#include "uapi/fargs.h"
#include "uapi/fargs_record.h"

struct fargs_btfs;
struct fargs_formats;
struct fargs_task_name;
struct fargs_ksyms;

/*
 * Flag of a function whose arguments are not known and not recorded (--any). The module has no
 * such flag: its own are in the lower bits.
 */
#define FARGS_FUNC_UNPROVEN	(1u << 31)

/* A traced function. */
struct fargs_func {
	uint64_t ip;		/* address of the function's fentry call, as in records */
	uint64_t addr;		/* address of the symbol */
	char *name;
	char *module;		/* name of the module; NULL: vmlinux */
	uint32_t btf_id;	/* id of its BTF_KIND_FUNC in the BTF of @module */
	uint32_t layout_flags;	/* enum fargs_layout_flags, FARGS_FUNC_UNPROVEN */
	/* TSC when the function's module was loaded; 0: before the recording. */
	uint64_t from_tsc;
};

/* A task that existed when the recording started. */
struct fargs_task_start {
	pid_t tid;
	pid_t tgid;
	char comm[FARGS_COMM_LEN];
};

/* An event's format, as tracefs describes it. */
struct fargs_event_format {
	char *system;
	char *text;
	size_t bytes;		/* size of @text, without the NUL after it */
	bool is_bad;		/* libtraceevent cannot parse the format (model/formats.h) */
};

/* Events that a CPU's event buffer lost, as the kernel counted them. */
struct fargs_event_stats {
	uint64_t lost;
	uint64_t lost_pending;	/* events lost after the last record: no LOST record counts them */
};

/* Value of ns_tid if the task exited before its id was read. */
#define FARGS_NSPID_GONE	(-1)

/* Thread id in the task's own pid namespace, if it differs from the global id. */
struct fargs_nspid {
	pid_t tid;
	/* id in the task's own pid namespace, or FARGS_NSPID_GONE; differs from @tid */
	pid_t ns_tid;
	uint64_t from_tsc;	/* TSC when the task was forked; 0: before the recording */
};

struct fargs_clock_round {
	struct fargs_clock_sample *cpus;	/* array with one sample for each CPU */
};

/* Missed calls of a function: see struct fargs_func_stats in uapi/fargs.h. */
struct fargs_missed_func {
	uint64_t ip, from_tsc;	/* ip and from_tsc of the function's struct fargs_func */
	/* Calls by traced tasks that were missed because too many calls were waiting to return. */
	uint64_t missed;
	uint64_t missed_any;	/* missed calls of any task, as counted by the kernel */
	/*
	 * Calls that traced tasks made inside calls of this function, and for which the kernel's
	 * shadow stack had no room.
	 */
	uint64_t too_deep;
};

struct fargs_missed {
	struct fargs_missed_func *funcs;	/* sorted by missed calls, most first */
	size_t nr;
	uint64_t any;			/* all missed calls of any task, counted by the kernel */
	/* Maximum number of calls waiting to return; 0: unknown, or there were no return probes. */
	uint32_t maxactive;
};

/* What perf's events of a recording have, for lines with its fields. */
struct fargs_perf_meta {
	unsigned int name_width;	/* length of the longest name of an event */
	bool has_trace;			/* the file has a hardware trace */
	/*
	 * For each enum fargs_perf_event_type: the first event's name (NULL: there is none), and
	 * the parts of its samples (PERF_SAMPLE_*).
	 */
	const char *names[8];
	uint64_t sample_types[8];
};

#define FARGS_VALUE_NAMES_MAX	128

struct fargs_meta {
	/* Facts about the module and kernel used for the recording. */
	struct fargs_info info;
	struct fargs_module_id module_id;	/* of the module used for the recording */
	char *command;			/* command line of fargs, words quoted as needed */
	char *hostname;
	struct fargs_origin origin;
	uint64_t ring_bytes;		/* size of each CPU's ring in bytes */
	/* The recording has only events, and was made without the module: no TSC rate is known. */
	bool is_bare;
	struct fargs_func *funcs;	/* sorted by ip, then from_tsc */
	/* The oldest records were overwritten, without being counted as lost. */
	bool is_overwrite;
	size_t nr_funcs;
	/*
	 * The array @funcs before functions were last added. It is kept because decoded events may
	 * still point to it.
	 */
	struct fargs_func *old_funcs;
	/* At least one deferred layout has FARGS_LAYOUT_GRAPH: two records per call. */
	bool has_deferred_graph;
	struct fargs_task_start *tasks;
	size_t nr_tasks;
	struct fargs_nspid *nspids;	/* if read from a file: sorted by tid, then from_tsc */
	size_t nr_nspids;
	/*
	 * Names from the file of a flight recorder, sorted for fargs_task_names_find(). If there
	 * are any, they replace the names from @tasks, @nspids and TASK records.
	 */
	struct fargs_task_name *names;
	size_t nr_names;
	struct fargs_clock_round *clocks;	/* rounds in the order in which they were taken */
	size_t nr_clocks;
	struct fargs_btfs *btfs;
	struct fargs_ksyms *ksyms;
	struct fargs_guests guests;	/* KVM guests whose symbols are known */
	struct fargs_cpu_stats *stats;	/* one for each CPU; NULL until the recording stops */
	/* Missed calls; set when the recording stops, if @has_missed is set. */
	struct fargs_missed missed;
	bool has_missed;		/* missed calls were counted for each function */
	bool has_events;		/* recorded with -e; some events may have no format */
	struct fargs_event_format *formats;	/* formats of the recorded events */
	size_t nr_formats;
	/*
	 * Formats of events that were not recorded, but have the names of flags that arguments
	 * have (model/flag_formats.h).
	 */
	struct fargs_event_format *flag_formats;
	size_t nr_flag_formats;
	bool are_formats_trusted;	/* formats are the running kernel's, not from a file */
	bool are_formats_validated;	/* is_bad is valid in all @formats */
	/*
	 * Formats that a source took from a file of another tool, in place of @formats; NULL: none.
	 */
	const struct fargs_formats *adopted;
	/*
	 * Names of values that do not belong to a function or a format, such as those of perf
	 * samples: an array that ends with NULL, of at most FARGS_VALUE_NAMES_MAX. NULL: there are
	 * none.
	 */
	const char *const *value_names;
	/*
	 * Bit i, counted from the first word on: value_names[i] is used in an expression. A source
	 * need not add others that are expensive; see fargs_meta_uses().
	 */
	uint64_t used_values[FARGS_VALUE_NAMES_MAX / 64];
	const struct fargs_perf_meta *perf;	/* owned by the source; NULL: not perf's events */
	/* Contents of tracefs' printk_formats: the strings to which pointers in events refer. */
	char *printk;
	size_t printk_bytes;
	/*
	 * Losses of the event streams, one element for each CPU; NULL until the recording stops, or
	 * if the recording has no formatted events.
	 */
	struct fargs_event_stats *event_stats;
};

/* Sets all fields to 0. */
void fargs_meta_init(struct fargs_meta *meta);
/* Frees everything that @meta points to, including btfs and ksyms. */
void fargs_meta_deinit(struct fargs_meta *meta);

/* Appends a copy of @samples, one for each of meta->info.nr_cpus CPUs. Returns 0 or -ENOMEM. */
int fargs_meta_add_clock(struct fargs_meta *meta, const struct fargs_clock_sample *samples);
/*
 * Adds copies of @funcs, whose module was loaded during the recording. The array meta->funcs is
 * replaced; the previous array stays readable until the next call. Returns 0 or -ENOMEM.
 */
int fargs_meta_add_funcs(struct fargs_meta *meta, const struct fargs_func *funcs, size_t nr);
/* Adds a copy of @nspid. Returns 0 or -ENOMEM. */
int fargs_meta_add_nspid(struct fargs_meta *meta, const struct fargs_nspid *nspid);
/* Adds a copy of @text, the format of an event of @system. Returns 0 or -ENOMEM. */
int fargs_meta_add_format(struct fargs_meta *meta, const char *system, const char *text,
			  size_t bytes);
/* Adds a copy of @text, the format of an event of @system, to meta->flag_formats. */
int fargs_meta_add_flag_format(struct fargs_meta *meta, const char *system, const char *text,
			       size_t bytes);
/* Sets meta->printk to a copy of @text. Returns 0 or -ENOMEM. */
int fargs_meta_set_printk(struct fargs_meta *meta, const char *text, size_t bytes);
/* Compares by tid, then from_tsc, for qsort() and bsearch(). */
int fargs_meta_compare_nspids(const void *a, const void *b);
/* Compares by ip, then from_tsc, for qsort(). */
int fargs_meta_compare_funcs(const void *a, const void *b);
/* Returns the function whose fentry was at address @ip at @tsc, or NULL. */
const struct fargs_func *fargs_meta_func(const struct fargs_meta *meta, uint64_t ip, uint64_t tsc);

/*
 * Returns the number of calls or, with @are_events, of events lost after the last record of @cpu.
 */
uint64_t fargs_meta_pending(const struct fargs_meta *meta, unsigned int cpu, bool are_events);

/* Does any function have one record at its entry and one at its return? */
bool fargs_meta_has_graph(const struct fargs_meta *meta);

/* Is the value @name, which is one of value_names, used in an expression? */
bool fargs_meta_uses(const struct fargs_meta *meta, const char *name);

/*
 * Returns the address of seq site @i: fargs_info.seq_site for i below FARGS_PATHS, several_site for
 * the rest. 0: unknown.
 */
#define FARGS_META_SITES	(FARGS_PATHS + 2)
static inline uint64_t fargs_meta_site(const struct fargs_meta *meta, size_t i)
{
	return i < FARGS_PATHS ? meta->info.seq_site[i] : meta->info.several_site[i - FARGS_PATHS];
}

#endif
