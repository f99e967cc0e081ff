/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of KVM guests' vcpus from their entries and exits: how often, why and where they exit,
 * and how long they run and wait.
 *
 * A time is counted only if it is certain: the vcpu's events at both its ends are consecutive, and
 * no event was lost between them.
 */
#ifndef FARGS_SINK_SUMMARY_VCPUS_H
#define FARGS_SINK_SUMMARY_VCPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"
#include "sink/summary/quantiles.h"

/* Exits with the same reason, or the same guest function. */
struct fargs_exits {
	char *name;		/* reason or function; NULL: unknown address */
	uint64_t key;		/* as passed by the caller */
	uint64_t nr;
	uint64_t nr_timed;	/* exits followed by a known entry, until which they took: */
	uint64_t host_ns;	/* in total */
	uint64_t max_ns;
};

/* Start with zeroes. */
struct fargs_exit_table {
	struct fargs_exits *rows;
	size_t nr;
	struct fargs_hash by_key;
};

struct fargs_vcpu_stats {
	uint64_t entries;
	uint64_t exits;
	uint64_t guest_ns;	/* time between entries and exits */
	uint64_t nr_guest;	/* number of such times */
	struct fargs_quantiles host_ns;		/* between each exit and the next entry */
	struct fargs_exit_table reasons;
	struct fargs_exit_table functions;
};

#define FARGS_VCPU_ANY	(~0u)

struct fargs_vcpu {
	unsigned int id;	/* within its VM; FARGS_VCPU_ANY: unknown */
	pid_t tid;
	struct fargs_vcpu_stats stats;
	/* State after its last event: */
	enum { FARGS_VCPU_UNKNOWN, FARGS_VCPU_IN_GUEST, FARGS_VCPU_IN_HOST } state;
	uint64_t since_ns;
	unsigned int cpu;
	uint64_t nr_losses;	/* value of fargs_vcpus.nr_losses then */
	size_t reason, function;	/* IN_HOST: row numbers of the exit */
};

struct fargs_vm {
	pid_t pid;		/* of its process */
	char *name;		/* of its process; "": unknown */
	struct fargs_vcpu *vcpus;
	size_t nr;
	struct fargs_vcpu_stats total;	/* valid after fargs_vcpus_finish() */
};

/* Start with zeroes. */
struct fargs_vcpus {
	struct fargs_vm *vms;
	size_t nr;
	uint64_t nr_losses;
};

/* Identifies the vcpu, time and place of an event. */
struct fargs_vcpu_moment {
	pid_t vm;		/* pid of its process, or the thread's if unknown */
	const char *name;	/* of the process, or NULL */
	pid_t tid;
	unsigned int id;	/* FARGS_VCPU_ANY: not reported */
	unsigned int cpu;	/* of the host */
	uint64_t ns;
};

/* Reason and place of an exit: keys, and names, which are the same for the same key. */
struct fargs_vcpu_exit {
	uint64_t reason;
	const char *reason_name;
	uint64_t function;	/* its address, or that of the exit */
	const char *function_name;	/* NULL: unknown */
};

void fargs_vcpus_deinit(struct fargs_vcpus *all);

/* To be called in time order. Returns 0 or -ENOMEM. */
int fargs_vcpus_enter(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m);
int fargs_vcpus_leave(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m,
		      const struct fargs_vcpu_exit *why);
/* Reports that events of any vcpus were lost. */
void fargs_vcpus_lose(struct fargs_vcpus *all);

/*
 * To be called after the last event: sums up each VM, sorts VMs and vcpus by their numbers, and
 * reasons and functions by frequency. Returns 0 or -ENOMEM.
 */
int fargs_vcpus_finish(struct fargs_vcpus *all);

#endif
