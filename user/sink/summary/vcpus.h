/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of the vcpus of KVM guests, from their entries and exits: how often, why and where
 * they exit, and how long they run and wait.
 *
 * A time is counted only if it is certain: its two ends are consecutive events of the vcpu, and no
 * event was lost between them.
 */
#ifndef FARGS_SINK_SUMMARY_VCPUS_H
#define FARGS_SINK_SUMMARY_VCPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"
#include "sink/summary/quantiles.h"

/* Statistics of all exits that have the same reason, or the same guest function. */
struct fargs_exits {
	char *name;		/* reason or function; NULL: address without a name */
	uint64_t key;		/* number of the reason, or address of the function */
	uint64_t nr;
	uint64_t nr_timed;	/* number of exits with a known time until the next entry */
	uint64_t host_ns;	/* sum of the known times until the next entry */
	uint64_t max_ns;
};

/* Initialize with zeroes. */
struct fargs_exit_table {
	struct fargs_exits *rows;
	size_t nr;
	struct fargs_hash by_key;
};

struct fargs_vcpu_stats {
	uint64_t entries;
	uint64_t exits;
	uint64_t guest_ns;	/* total time between entries and exits */
	uint64_t nr_guest;	/* number of intervals whose lengths were added to @guest_ns */
	struct fargs_quantiles host_ns;		/* times from an exit to the next entry */
	struct fargs_exit_table reasons;
	struct fargs_exit_table functions;
};

#define FARGS_VCPU_ANY	(~0u)

struct fargs_vcpu {
	unsigned int id;	/* id of the vcpu in its VM; FARGS_VCPU_ANY: unknown */
	pid_t tid;
	struct fargs_vcpu_stats stats;
	/* The following members describe the state after the vcpu's last event. */
	enum { FARGS_VCPU_UNKNOWN, FARGS_VCPU_IN_GUEST, FARGS_VCPU_IN_HOST } state;
	uint64_t since_ns;
	unsigned int cpu;
	uint64_t nr_losses;	/* struct fargs_vcpus.nr_losses at the vcpu's last event */
	/* If @state is FARGS_VCPU_IN_HOST: row numbers of the last exit's reason and function. */
	size_t reason, function;
};

struct fargs_vm {
	pid_t pid;		/* pid of the VM's process */
	char *name;		/* name of the VM's process; "": unknown */
	struct fargs_vcpu *vcpus;
	size_t nr;
	struct fargs_vcpu_stats total;	/* valid after fargs_vcpus_finish() */
};

/* Initialize with zeroes. */
struct fargs_vcpus {
	struct fargs_vm *vms;
	size_t nr;
	uint64_t nr_losses;
};

/* An entry or exit: its vcpu, time and CPU. */
struct fargs_vcpu_moment {
	pid_t vm;		/* pid of the VM's process; if unknown, equal to @tid */
	const char *name;	/* name of the VM's process, or NULL */
	pid_t tid;
	unsigned int id;	/* id of the vcpu; FARGS_VCPU_ANY: not reported */
	unsigned int cpu;	/* CPU of the host */
	uint64_t ns;
};

/* Reason and place of an exit. Each has a key and a name; equal keys have equal names. */
struct fargs_vcpu_exit {
	uint64_t reason;
	const char *reason_name;
	uint64_t function;	/* address of the guest's function; if unknown, of the exit */
	const char *function_name;	/* NULL: the function is unknown */
};

void fargs_vcpus_deinit(struct fargs_vcpus *all);

/* Process an entry or an exit of a vcpu; called in time order. Return 0 or -ENOMEM. */
int fargs_vcpus_enter(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m);
int fargs_vcpus_leave(struct fargs_vcpus *all, const struct fargs_vcpu_moment *m,
		      const struct fargs_vcpu_exit *why);
/* To be called when events of unknown vcpus were lost. */
void fargs_vcpus_lose(struct fargs_vcpus *all);

/*
 * Completes the statistics after the last event: sums up each VM, sorts VMs by pid, vcpus by
 * id, and reasons and functions by frequency. Returns 0 or -ENOMEM.
 */
int fargs_vcpus_finish(struct fargs_vcpus *all);

#endif
