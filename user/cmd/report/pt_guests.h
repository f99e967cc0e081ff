/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options for virtual machines in an Intel PT trace: where copies of the guests' files are.
 */
#ifndef FARGS_CMD_REPORT_PT_GUESTS_H
#define FARGS_CMD_REPORT_PT_GUESTS_H

#include "cmd/report/pt_options.h"
#include "source/pt/input/guests.h"

/* Files of guests. The members are private; initialize with zeroes. */
struct fargs_pt_report_guests {
	struct fargs_pt_guest_options options;
	char **paths;
	size_t nr_paths;
};

/*
 * Finds the files that the options name, and sets @guests->options. Without an option for guests,
 * it is all zero. Returns 0 or a negative errno with @err.
 */
int fargs_pt_report_guests_find(struct fargs_pt_report_guests *guests,
				const struct fargs_pt_report_options *o,
				struct fargs_error_text *err);
void fargs_pt_report_guests_deinit(struct fargs_pt_report_guests *guests);

#endif
