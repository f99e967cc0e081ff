/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fargs inject --vm-time-correlation prints: errors, offsets, and a log of all packets.
 */
#ifndef FARGS_CMD_INJECT_VM_REPORT_H
#define FARGS_CMD_INJECT_VM_REPORT_H

#include <stdint.h>
#include <stdio.h>

#include "source/pt/packet/guest_tsc.h"

/* Initialize with zeroes, but for @log. */
struct fargs_vm_report {
	FILE *log;			/* NULL: none */
	int log_error;			/* 0, or -errno if it cannot be written */
	/* The bytes that are being read, and the stream to which they belong; set by the caller. */
	const uint8_t *bytes, *end;
	uint64_t offset;		/* of @bytes in the stream */
	uint32_t cpu, tid;		/* UINT32_MAX: any */
	const uint8_t *logged;		/* what precedes it is in the log */
	uint64_t nr_set;
	uint64_t nr[FARGS_PT_GUEST_TSC_KINDS];
};

/* Prints an event. Returns 0 or -errno. */
int fargs_vm_report_put(struct fargs_vm_report *r, const struct fargs_pt_guest_tsc_event *ev);
/* Prints the VMCSs of the trace, and how often errors occurred that were not printed each time. */
void fargs_vm_report_end(const struct fargs_vm_report *r, const struct fargs_pt_vmcs_list *list);

/* Were there errors which show that an offset is wrong; or others? */
bool fargs_vm_report_is_wrong(const struct fargs_vm_report *r);
bool fargs_vm_report_has_errors(const struct fargs_vm_report *r);

#endif
