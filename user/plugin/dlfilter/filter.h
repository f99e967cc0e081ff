/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A dlfilter that is loaded, for who runs it (host.c), and for what it calls (filter_fns.c).
 */
#ifndef FARGS_PLUGIN_DLFILTER_FILTER_H
#define FARGS_PLUGIN_DLFILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/dlfilter/api.h"
#include "plugin/dlfilter/host.h"

/* The longest instruction there is. */
#define FARGS_DLFILTER_INSN_MAX	15

typedef int fargs_dlfilter_fn(void *data, const struct fargs_dlfilter_sample *sample, void *ctx);

/* Its address is the ctx of its filter. */
struct fargs_dlfilter {
	char *path;
	void *handle;
	char **args;
	size_t nr_args;
	void *data;		/* the filter's own */
	int (*start)(void **data, void *ctx);
	int (*stop)(void *data, void *ctx);
	fargs_dlfilter_fn *early;
	fargs_dlfilter_fn *late;
	bool is_started;
	bool may_have_args;	/* ctx is valid for args */
	/* NULL: ctx is valid for nothing but args. */
	const struct fargs_dlfilter_event *ev;
	/* Of ev; size 0: not yet. */
	struct fargs_dlfilter_al ip_al, addr_al;
	uint8_t insn[FARGS_DLFILTER_INSN_MAX];
	uint32_t insn_bytes;
};

/* What a filter gets at its perf_dlfilter_fns. */
extern const struct fargs_dlfilter_fns fargs_dlfilter_host_fns;

#endif
