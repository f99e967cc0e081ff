/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is needed to show records, beside the records themselves. A live session fills it in,
 * or it is read from a trace file, so that both print the same.
 */
#ifndef FARGS_MODEL_META_H
#define FARGS_MODEL_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/guest/guests.h"
#include "uapi/fargs.h"
#include "uapi/fargs_record.h"

struct fargs_btfs;
struct fargs_task_name;
struct fargs_ksyms;

/* A traced function. */
struct fargs_func {
	uint64_t ip;		/* fentry address, which records carry */
	uint64_t addr;		/* address of the symbol */
	char *name;
	char *module;		/* NULL: vmlinux */
	uint32_t btf_id;	/* id of its BTF_KIND_FUNC in the BTF of @module */
	uint32_t layout_flags;	/* enum fargs_layout_flags */
	uint64_t from_tsc;	/* TSC from which on it exists; 0: from the beginning */
};

/* A task at the start of the recording. */
struct fargs_task_start {
	pid_t tid;
	pid_t tgid;
	char comm[FARGS_COMM_LEN];
};

/* An event's format, as tracefs describes it. */
struct fargs_event_format {
	char *system;
	char *text;
	size_t bytes;		/* bytes of @text, without the NUL that follows */
	bool is_bad;		/* cannot be parsed (model/formats.h) */
};

/* Losses of a CPU's event buffer, as the kernel counted them. */
struct fargs_event_stats {
	uint64_t lost;
	uint64_t lost_pending;	/* of these, after the last record: no LOST record counts them */
};

/* ns_tid of a task that ended before its id was read. */
#define FARGS_NSPID_GONE	(-1)

/* The id of a task in its own pid namespace. */
struct fargs_nspid {
	pid_t tid;
	pid_t ns_tid;		/* or FARGS_NSPID_GONE; there is no entry if it equals tid */
	uint64_t from_tsc;	/* TSC of its fork; 0: before the start */
};

struct fargs_clock_round {
	struct fargs_clock_sample *cpus;	/* nr_cpus of them */
};

/* Missed calls of a function (uapi/fargs.h, struct fargs_func_stats). */
struct fargs_missed_func {
	uint64_t ip, from_tsc;	/* those of its struct fargs_func */
	uint64_t missed;	/* of traced tasks: too many calls were waiting to return */
	uint64_t missed_any;	/* of any task, counted by the kernel */
	uint64_t too_deep;	/* of traced tasks: nested too deeply in its own calls */
};

struct fargs_missed {
	struct fargs_missed_func *funcs;	/* most missed first */
	size_t nr;
	uint64_t any;		/* of any task, counted by the kernel, those of @funcs included */
	uint32_t maxactive;	/* limit of calls waiting for their return; 0: unknown, or none */
};

struct fargs_meta {
	struct fargs_info info;		/* of the kernel that was recorded */
	char *command;			/* command line of fargs, words quoted */
	char *hostname;
	uint64_t ring_bytes;		/* bytes of each CPU's ring */
	bool is_bare;			/* events only, without the module: the TSC is unknown */
	struct fargs_func *funcs;	/* sorted by ip, then from_tsc */
	bool is_overwrite;		/* the oldest records were overwritten, and not counted */
	size_t nr_funcs;
	struct fargs_func *old_funcs;	/* before the last were added: events may point to it */
	bool has_deferred_graph;	/* deferred functions are recorded at entry and return */
	struct fargs_task_start *tasks;
	size_t nr_tasks;
	struct fargs_nspid *nspids;	/* from a file: sorted by tid, then from_tsc */
	size_t nr_nspids;
	/*
	 * From a flight recorder's file: sorted for fargs_task_names_find. If there are any,
	 * neither tasks and nspids nor TASK records are used for names.
	 */
	struct fargs_task_name *names;
	size_t nr_names;
	struct fargs_clock_round *clocks;	/* in the order they were taken */
	size_t nr_clocks;
	struct fargs_btfs *btfs;
	struct fargs_ksyms *ksyms;
	struct fargs_guests guests;	/* KVM guests whose symbols are known */
	struct fargs_cpu_stats *stats;	/* nr_cpus of them, after the stop; else NULL */
	struct fargs_missed missed;	/* after the stop, if has_missed */
	bool has_missed;		/* else there are no counters by function */
	bool has_events;		/* recorded with -e; some may have no format */
	struct fargs_event_format *formats;	/* of the events */
	size_t nr_formats;
	bool are_formats_trusted;	/* they are the running kernel's, not from a file */
	bool are_formats_validated;	/* their is_bad is valid */
	char *printk;			/* strings that events point to, as tracefs lists them */
	size_t printk_bytes;
	struct fargs_event_stats *event_stats;	/* like stats; NULL also without events */
};

/* Sets all fields to 0. */
void fargs_meta_init(struct fargs_meta *meta);
/* Frees everything it points to, btfs and ksyms included. */
void fargs_meta_deinit(struct fargs_meta *meta);

/* Appends a copy of @samples (meta->info.nr_cpus of them). 0 or -ENOMEM. */
int fargs_meta_add_clock(struct fargs_meta *meta, const struct fargs_clock_sample *samples);
/*
 * Adds copies of @funcs, which were resolved later. The functions in meta->funcs move, but stay
 * readable at their old place until the next call. -ENOMEM.
 */
int fargs_meta_add_funcs(struct fargs_meta *meta, const struct fargs_func *funcs, size_t nr);
/* Adds a copy of @nspid. -ENOMEM. */
int fargs_meta_add_nspid(struct fargs_meta *meta, const struct fargs_nspid *nspid);
/* Adds a copy of @text, which describes an event of @system. -ENOMEM. */
int fargs_meta_add_format(struct fargs_meta *meta, const char *system, const char *text,
			  size_t bytes);
/* Sets the list of strings to a copy of @text; -ENOMEM. */
int fargs_meta_set_printk(struct fargs_meta *meta, const char *text, size_t bytes);
/* By tid, then from_tsc: for qsort and bsearch. */
int fargs_meta_compare_nspids(const void *a, const void *b);
/* By ip, then from_tsc: for qsort. */
int fargs_meta_compare_funcs(const void *a, const void *b);
/* The function that had that fentry address at @tsc, or NULL. */
const struct fargs_func *fargs_meta_func(const struct fargs_meta *meta, uint64_t ip, uint64_t tsc);

/* Calls, or with @are_events events, lost after the last record of @cpu. */
uint64_t fargs_meta_pending(const struct fargs_meta *meta, unsigned int cpu, bool are_events);

/* Is any function recorded with one record at its entry and one at its return? */
bool fargs_meta_has_graph(const struct fargs_meta *meta);

#endif
