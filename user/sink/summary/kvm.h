/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the vcpus of guests did, out of the entries and exits of kvm among the events of a report.
 */
#ifndef FARGS_REPORT_KVM_H
#define FARGS_REPORT_KVM_H

#include "model/decoder.h"
#include "sink/summary/vcpus.h"

/* A reason to leave, and what it is called. */
struct fargs_kvm_reason {
	uint64_t key;
	char *name;
};

/* Begins with zeroes. */
struct fargs_kvm {
	struct fargs_vcpus vcpus;
	struct fargs_kvm_reason *reasons;
	size_t nr_reasons;
};

void fargs_kvm_deinit(struct fargs_kvm *kvm);

/* Takes an event, in the order of time; those of others do not matter. 0 or -ENOMEM. */
int fargs_kvm_event(struct fargs_kvm *kvm, struct fargs_decoder *d, const struct fargs_event *ev);

#endif
