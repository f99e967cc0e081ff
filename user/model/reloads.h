/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modules that were loaded when the recording began, and were loaded again during the recording.
 * The symbols of the recording have the addresses of the first load. When the same build of a
 * module is loaded again, all of its code has moved by the same distance, which is computed from
 * the addresses of its traced functions.
 */
#ifndef FARGS_MODEL_RELOADS_H
#define FARGS_MODEL_RELOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/sym/ksyms.h"
#include "model/meta.h"

/* One life of a module: the period from one load of the module to its next load. */
struct fargs_reload_life {
	const char *module;
	uint64_t from_tsc;
	uint64_t shift;		/* address minus the first address of the same code */
	uint64_t first, last;	/* lowest and highest address of a recorded function in this life */
	bool is_uncertain;	/* its functions moved by different distances */
};

/* Initialize with zeroes. */
struct fargs_reloads {
	struct fargs_reload_life *lives;	/* sorted by from_tsc */
	size_t nr;
	struct fargs_reload_life *current;	/* life of each module at the selected time */
	size_t nr_current;
	uint64_t from_tsc, to_tsc;		/* @current is valid from @from_tsc until @to_tsc */
};

/*
 * Finds the modules that were loaded again among @funcs, whose strings must outlive @r. Call
 * fargs_reloads_deinit() before calling it again. Returns 0 or -ENOMEM.
 */
int fargs_reloads_init(struct fargs_reloads *r, const struct fargs_func *funcs, size_t nr);
void fargs_reloads_deinit(struct fargs_reloads *r);

/* Selects the life of each module at @tsc. Returns true if the selection has changed. */
bool fargs_reloads_select(struct fargs_reloads *r, uint64_t tsc);
/*
 * Like fargs_ksyms_find_addr() at the selected time. A symbol that has moved is copied to *@moved,
 * with its address at that time.
 */
const struct fargs_ksym *fargs_reloads_find_addr(const struct fargs_reloads *r,
						 const struct fargs_ksyms *ks, uint64_t addr,
						 struct fargs_ksym *moved);

#endif
