/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that load dlfilters: --dlfilter, --dlarg, --list-dlfilters.
 */
#ifndef FARGS_CMD_OPTIONS_DLFILTER_H
#define FARGS_CMD_OPTIONS_DLFILTER_H

#include <stdbool.h>

#include "cmd/options/parse.h"
#include "plugin/dlfilter/host.h"

/* If all members are zero, there are no filters. */
struct fargs_dlfilter_options {
	struct fargs_dlfilters *filters;
	bool is_list;		/* --list-dlfilters was given */
};

/* Options that set members of struct fargs_dlfilter_options. */
extern const struct fargs_option fargs_dlfilter_option_table[];

void fargs_dlfilter_options_deinit(struct fargs_dlfilter_options *o);

/* Was a --dlarg given without any --dlfilter? */
bool fargs_dlfilter_options_lacks_filter(const struct fargs_dlfilter_options *o);

/* Returns NULL if no filters were requested. */
struct fargs_dlfilters *fargs_dlfilter_options_get(const struct fargs_dlfilter_options *o);

/*
 * fargs_dlfilter_options_start() starts the filters; fargs_dlfilter_options_stop() stops them and
 * flushes stdout. Without filters, both do nothing. They return the exit status: 1 after printing
 * an error; otherwise fargs_dlfilter_options_start() returns 0, and fargs_dlfilter_options_stop()
 * returns @status.
 */
int fargs_dlfilter_options_start(struct fargs_dlfilter_options *o);
int fargs_dlfilter_options_stop(struct fargs_dlfilter_options *o, int status);

/* Handles --list-dlfilters. Returns the exit status. */
int fargs_dlfilter_options_list(void);

#endif
