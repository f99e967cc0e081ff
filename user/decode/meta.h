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

#include "uapi/fargs.h"
#include "uapi/fargs_record.h"

struct fargs_btfs;
struct fargs_ksyms;

/* A traced function. */
struct fargs_func {
	uint64_t ip;		/* fentry address: records carry it */
	uint64_t addr;		/* of the symbol */
	char *name;
	char *module;		/* NULL: vmlinux */
	uint32_t btf_id;	/* of its BTF_KIND_FUNC, in the BTF of @module */
	uint32_t layout_flags;	/* enum fargs_layout_flags */
};

/* A task as it was at the start. */
struct fargs_task_start {
	pid_t tid;
	pid_t tgid;
	char comm[FARGS_COMM_LEN];
};

struct fargs_clock_round {
	struct fargs_clock_sample *cpus;	/* nr_cpus of them */
};

struct fargs_meta {
	struct fargs_info info;		/* of the kernel that recorded */
	char *command;			/* fargs' own command line, words quoted */
	char *hostname;
	uint64_t ring_bytes;		/* of each CPU's ring */
	struct fargs_func *funcs;	/* sorted by ip */
	size_t nr_funcs;
	struct fargs_task_start *tasks;
	size_t nr_tasks;
	struct fargs_clock_round *clocks;	/* in the order they were taken */
	size_t nr_clocks;
	struct fargs_btfs *btfs;
	struct fargs_ksyms *ksyms;
	struct fargs_cpu_stats *stats;	/* nr_cpus of them, after the stop; else NULL */
};

/* Zeroes it. */
void fargs_meta_init(struct fargs_meta *meta);
/* Frees what it points to, btfs and ksyms included. */
void fargs_meta_deinit(struct fargs_meta *meta);

/* Appends a copy of @samples (meta->info.nr_cpus of them); -errno. */
int fargs_meta_add_clock(struct fargs_meta *meta, const struct fargs_clock_sample *samples);
/* The function with that fentry address, or NULL. */
const struct fargs_func *fargs_meta_func(const struct fargs_meta *meta, uint64_t ip);

/* Is some function recorded at its call and at its return, each by itself? */
bool fargs_meta_has_graph(const struct fargs_meta *meta);

#endif
