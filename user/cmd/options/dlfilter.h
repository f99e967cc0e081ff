/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options that load dlfilters: --dlfilter, --dlarg, --list-dlfilters.
 */
#ifndef FARGS_DLFILTER_OPTIONS_H
#define FARGS_DLFILTER_OPTIONS_H

#include <stdbool.h>

#include "plugin/dlfilter/host.h"

/* All zeroes: none. */
struct fargs_dlfilter_options {
	struct fargs_dlfilters *filters;
};

void fargs_dlfilter_options_deinit(struct fargs_dlfilter_options *o);

/* --dlfilter, --dlarg. 0, or 1: no memory, which is told. */
int fargs_dlfilter_options_add(struct fargs_dlfilter_options *o, const char *file);
int fargs_dlfilter_options_add_arg(struct fargs_dlfilter_options *o, const char *text);

/* Are arguments given, but no filter? */
bool fargs_dlfilter_options_lacks_filter(const struct fargs_dlfilter_options *o);

/* NULL: none are asked for. */
struct fargs_dlfilters *fargs_dlfilter_options_get(const struct fargs_dlfilter_options *o);

/*
 * Starts them, if there are any; stops them, and writes what is not written yet. The exit
 * status: 1 if one has failed, which is told, or if @status was.
 */
int fargs_dlfilter_options_start(struct fargs_dlfilter_options *o);
int fargs_dlfilter_options_stop(struct fargs_dlfilter_options *o, int status);

/* --list-dlfilters. The exit status. */
int fargs_dlfilter_options_list(void);

#endif
