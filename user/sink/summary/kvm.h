/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of guests' vcpus from the kvm_entry and kvm_exit events of a report.
 */
#ifndef FARGS_SINK_SUMMARY_KVM_H
#define FARGS_SINK_SUMMARY_KVM_H

#include "model/decoder.h"
#include "sink/summary/vcpus.h"

/* An exit reason and its name. */
struct fargs_kvm_reason {
	uint64_t key;
	char *name;
};

/* Initialize with zeroes. */
struct fargs_kvm {
	struct fargs_vcpus vcpus;
	struct fargs_kvm_reason *reasons;
	size_t nr_reasons;
};

void fargs_kvm_deinit(struct fargs_kvm *kvm);

/*
 * Processes an event; called in time order. Ignores events other than kvm_entry, kvm_exit and
 * losses. Returns 0 or -ENOMEM.
 */
int fargs_kvm_event(struct fargs_kvm *kvm, struct fargs_decoder *d, const struct fargs_event *ev);

#endif
