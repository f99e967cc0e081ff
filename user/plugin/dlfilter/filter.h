/* SPDX-License-Identifier: GPL-2.0-only */
/* A loaded dlfilter. host.c runs it, and filter_fns.c contains the functions that it can call. */
#ifndef FARGS_PLUGIN_DLFILTER_FILTER_H
#define FARGS_PLUGIN_DLFILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/dlfilter/api.h"
#include "plugin/dlfilter/host.h"

/* Maximum length of an instruction. */
#define FARGS_DLFILTER_INSN_MAX	15

typedef int fargs_dlfilter_fn(void *data, const struct fargs_dlfilter_sample *sample, void *ctx);

/*
 * A loaded dlfilter. Its functions get the address of this struct as @ctx, and pass it on to the
 * functions that they call.
 */
struct fargs_dlfilter {
	char *path;
	void *handle;
	char **args;
	size_t nr_args;
	void *data;		/* the filter's private data, which its start() sets */
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	fargs_dlfilter_fn *early;
	fargs_dlfilter_fn *late;
	bool is_started;
	bool may_have_args;	/* the filter may call args(), even if @ev is NULL */
	/*
	 * The event that the filter is handling; NULL: none. Without an event, the filter can only
	 * call args(), and only if @may_have_args is set.
	 */
	const struct fargs_dlfilter_event *ev;
	/* The sample's ip and addr, resolved on first use. Until then, the struct's size is 0. */
	struct fargs_dlfilter_al ip_al, addr_al;
	uint8_t insn[FARGS_DLFILTER_INSN_MAX];
	uint32_t insn_bytes;
};

/* The functions that filters can call; copied to the variable perf_dlfilter_fns of each filter. */
extern const struct fargs_dlfilter_fns fargs_dlfilter_host_fns;

#endif
