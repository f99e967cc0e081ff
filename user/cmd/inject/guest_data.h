/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fargs inject --guest-data: adds records of a guest to the recording of its host.
 */
#ifndef FARGS_CMD_INJECT_GUEST_DATA_H
#define FARGS_CMD_INJECT_GUEST_DATA_H

#include <stdint.h>

#include "base/error.h"

/* Initialize with zeroes. */
struct fargs_guest_data {
	char *guest;			/* the guest's file; NULL: the option was not given */
	uint32_t pid;			/* of the hypervisor */
	uint64_t offset;
	const char *path;		/* the host's file */
	const char *output;

	/* Of the guest's TSC. */
	long double scale;
};

void fargs_guest_data_deinit(struct fargs_guest_data *d);
/* Parses FILE,PID[,OFFSET[,SCALE]]. Returns 0, or -errno with @err. */
int fargs_guest_data_parse(struct fargs_guest_data *d, const char *value,
			   struct fargs_error_text *err);

/* Returns the exit status. */
int fargs_guest_data_run(const struct fargs_guest_data *d);

#endif
