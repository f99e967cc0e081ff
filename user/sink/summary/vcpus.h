/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the vcpus of guests of KVM did, out of their entries and exits: how often and why they
 * left, where, and how long they ran and waited.
 *
 * A time counts only if it is sure to be one: the vcpu's events at both its ends follow each other,
 * and no event was lost between them.
 */
#ifndef FARGS_REPORT_VCPUS_H
#define FARGS_REPORT_VCPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sink/summary/quantiles.h"

/* Exits that have something in common. */
struct fargs_exits {
	char *name;		/* a reason, or a function; NULL: the address is not known */
	uint64_t key;		/* as it was given */
	uint64_t nr;
	uint64_t nr_timed;	/* of which it is known how long it took until the next entry: */
	uint64_t host_ns;	/* together */
	uint64_t max_ns;
};

/* Begins with zeroes. */
struct fargs_exit_table {
	struct fargs_exits *rows;
	size_t nr;
	uint32_t *slots;	/* open addressing: a row's number + 1 */
	size_t nr_slots;
};

struct fargs_vcpu_stats {
	uint64_t entries;
	uint64_t exits;
	uint64_t guest_ns;	/* from entries to exits */
	uint64_t nr_guest;	/* that these are of */
	struct fargs_quantiles host_ns;		/* from each exit to its entry */
	struct fargs_exit_table reasons;
	struct fargs_exit_table functions;
};

#define FARGS_VCPU_ANY	(~0u)

struct fargs_vcpu {
	unsigned int id;	/* in its VM; FARGS_VCPU_ANY: not known */
	pid_t tid;
	struct fargs_vcpu_stats stats;
	/* What it did last: */
	enum { FARGS_VCPU_UNKNOWN, FARGS_VCPU_IN_GUEST, FARGS_VCPU_IN_HOST } state;
	uint64_t since_ns;
	unsigned int cpu;
	uint64_t nr_losses;	/* there had been then */
	size_t reason, function;	/* IN_HOST: rows of the exit */
};

struct fargs_vm {
	pid_t pid;		/* of its process */
	char *name;		/* of its process; "": not known */
	struct fargs_vcpu *vcpus;
	size_t nr;
	struct fargs_vcpu_stats total;	/* since fargs_vcpus_finish() */
};

/* Begins with zeroes. */
struct fargs_vcpus {
	struct fargs_vm *vms;
	size_t nr;
	uint64_t nr_losses;
};

/* Which vcpu, when and where. */
struct fargs_vcpu_moment {
	pid_t vm;		/* its process, or where that is not known its thread */
	const char *name;	/* of the process, or NULL */
	pid_t tid;
	unsigned int id;	/* or FARGS_VCPU_ANY: it is not told */
	unsigned int cpu;	/* of the host */
	uint64_t ns;
};

/* Why it left, and where: each by a key, and by a name that is the same for the same key. */
struct fargs_vcpu_exit {
	uint64_t reason;
	const char *reason_name;
	uint64_t function;	/* its address; or that of the exit */
	const char *function_name;	/* NULL: not known */
};

void fargs_vcpus_deinit(struct fargs_vcpus *all);

/* In the order of time. -ENOMEM. */
int fargs_vcpus_enter(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m);
int fargs_vcpus_leave(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m,
		      const struct fargs_vcpu_exit *why);
/* Events were lost, of whichever vcpu. */
void fargs_vcpus_lose(struct fargs_vcpus *all);

/*
 * Behind the last of them: adds up each VM, and sorts VMs and vcpus by their numbers, reasons and
 * functions by how often they were. -ENOMEM.
 */
int fargs_vcpus_finish(struct fargs_vcpus *all);

#endif
