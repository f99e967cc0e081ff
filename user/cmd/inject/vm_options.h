/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The value of --vm-time-correlation: [dry-run] [OFFSET[*RATIO][:VMCS[,VMCS]...]]...
 */
#ifndef FARGS_CMD_INJECT_VM_OPTIONS_H
#define FARGS_CMD_INJECT_VM_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "source/pt/packet/vmcs.h"

/* Initialize with zeroes. */
struct fargs_vm_options {
	bool is_given;
	bool is_dry;
	struct fargs_pt_vmcs_list list;		/* offsets that were given */
};

void fargs_vm_options_deinit(struct fargs_vm_options *o);

/* @value: NULL: the option has none. Returns 0, or -errno with @err. */
int fargs_vm_options_parse(struct fargs_vm_options *o, const char *value,
			   struct fargs_error_text *err);

#endif
