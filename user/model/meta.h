/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is needed beside the records to show them: filled in by a live
 * session or read from a trace file, so that both print the same.
 */
#ifndef FARGS_DECODE_META_H
#define FARGS_DECODE_META_H

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
	uint64_t ip;		/* fentry address: records carry it */
	uint64_t addr;		/* of the symbol */
	char *name;
	char *module;		/* NULL: vmlinux */
	uint32_t btf_id;	/* of its BTF_KIND_FUNC, in the BTF of @module */
	uint32_t layout_flags;	/* enum fargs_layout_flags */
	uint64_t from_tsc;	/* it is there since; 0: from the begin on */
};

/* A task as it was at the start. */
struct fargs_task_start {
	pid_t tid;
	pid_t tgid;
	char comm[FARGS_COMM_LEN];
};

/* How the fields of an event lie and are printed, as tracefs describes it. */
struct fargs_event_format {
	char *system;
	char *text;
	size_t bytes;		/* of @text, which has a NUL behind it */
	bool is_bad;		/* it cannot be read (decode/formats.h) */
};

/* What a CPU's buffer for events lost, as the kernel counted it. */
struct fargs_event_stats {
	uint64_t lost;
	uint64_t lost_pending;	/* of these, behind the last record: nothing tells them */
};

/* What is not known of a task, since it ended before it was asked. */
#define FARGS_NSPID_GONE	(-1)

/* What a task is called in its own pid namespace. */
struct fargs_nspid {
	pid_t tid;
	pid_t ns_tid;		/* or FARGS_NSPID_GONE; those for which it is tid have no entry */
	uint64_t from_tsc;	/* when it was forked; 0: before the begin */
};

struct fargs_clock_round {
	struct fargs_clock_sample *cpus;	/* nr_cpus of them */
};

/* A function of which calls were missed (uapi/fargs.h, struct fargs_func_stats). */
struct fargs_missed_func {
	uint64_t ip, from_tsc;	/* those of its struct fargs_func */
	uint64_t missed;	/* of traced tasks: too many were waiting to return */
	uint64_t missed_any;	/* by the kernel, of any task */
	uint64_t too_deep;	/* of traced tasks, made inside calls of it */
};

struct fargs_missed {
	struct fargs_missed_func *funcs;	/* most first */
	size_t nr;
	uint64_t any;		/* by the kernel, of any task; those of @funcs included */
	uint32_t maxactive;	/* that could be waited for; 0: not known, or there were none */
};

struct fargs_meta {
	struct fargs_info info;		/* of the kernel that recorded */
	char *command;			/* fargs' own command line, words quoted */
	char *hostname;
	uint64_t ring_bytes;		/* of each CPU's ring */
	bool is_bare;			/* events alone, without the module: no TSC is known */
	struct fargs_func *funcs;	/* sorted by ip, then from_tsc */
	bool is_overwrite;		/* what is oldest was overwritten, and not counted */
	size_t nr_funcs;
	struct fargs_func *old_funcs;	/* before some were added: events may point there */
	bool has_late_graph;		/* functions that come later are recorded twice */
	struct fargs_task_start *tasks;
	size_t nr_tasks;
	struct fargs_nspid *nspids;	/* out of a file: sorted by tid, then from_tsc */
	size_t nr_nspids;
	/*
	 * Out of a flight recorder's file: sorted for fargs_task_names_find. Where there are any,
	 * no other names hold: neither tasks and nspids, nor TASK records.
	 */
	struct fargs_task_name *names;
	size_t nr_names;
	struct fargs_clock_round *clocks;	/* in the order they were taken */
	size_t nr_clocks;
	struct fargs_btfs *btfs;
	struct fargs_ksyms *ksyms;
	struct fargs_guests guests;	/* those of KVM whose symbols are known */
	struct fargs_cpu_stats *stats;	/* nr_cpus of them, after the stop; else NULL */
	struct fargs_missed missed;	/* after the stop, if has_missed */
	bool has_missed;		/* else nobody has counted by function */
	bool has_events;		/* of -e; of some there may be no format */
	struct fargs_event_format *formats;	/* of the events */
	size_t nr_formats;
	bool are_formats_trusted;	/* the running kernel's, out of no file */
	bool are_formats_vetted;	/* is_bad of them is known */
	char *printk;			/* strings that events point to, as tracefs lists them */
	size_t printk_bytes;
	struct fargs_event_stats *event_stats;	/* as stats; NULL also if there are no events */
};

/* Zeroes it. */
void fargs_meta_init(struct fargs_meta *meta);
/* Frees what it points to, btfs and ksyms included. */
void fargs_meta_deinit(struct fargs_meta *meta);

/* Appends a copy of @samples (meta->info.nr_cpus of them); -errno. */
int fargs_meta_add_clock(struct fargs_meta *meta, const struct fargs_clock_sample *samples);
/*
 * Adds copies of @funcs, that came later. Those in meta->funcs move, but stay readable
 * where they were until the next time. -ENOMEM.
 */
int fargs_meta_add_funcs(struct fargs_meta *meta, const struct fargs_func *funcs, size_t nr);
/* Adds a copy of @nspid. -ENOMEM. */
int fargs_meta_add_nspid(struct fargs_meta *meta, const struct fargs_nspid *nspid);
/* Adds a copy of @text, which describes an event of @system. -ENOMEM. */
int fargs_meta_add_format(struct fargs_meta *meta, const char *system, const char *text,
			  size_t bytes);
/* Takes the list of strings, a copy; -ENOMEM. */
int fargs_meta_set_printk(struct fargs_meta *meta, const char *text, size_t bytes);
/* By tid, then from_tsc: for qsort and bsearch. */
int fargs_meta_compare_nspids(const void *a, const void *b);
/* By ip, then from_tsc: for qsort. */
int fargs_meta_compare_funcs(const void *a, const void *b);
/* The function that had that fentry address at @tsc, or NULL. */
const struct fargs_func *fargs_meta_func(const struct fargs_meta *meta, uint64_t ip, uint64_t tsc);

/* What was lost behind the last record of @cpu's calls, or of its events. */
uint64_t fargs_meta_pending(const struct fargs_meta *meta, unsigned int cpu, bool are_events);

/* Is some function recorded at its call and at its return, each by itself? */
bool fargs_meta_has_graph(const struct fargs_meta *meta);

#endif
