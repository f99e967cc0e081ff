/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what a person asks for ("vfs_*", "ext4:*") to addresses with layouts.
 *
 * A pattern is [MODULE:]NAME, both of them globs; "vmlinux" stands for the
 * kernel itself, and without a module all of them are meant. A NAME without a
 * special character must give a function, or it is a mistake that is told; of
 * the functions that a glob matches, those that cannot be traced are left out, and
 * so are those on which the rest of the selector makes no sense.
 *
 * Of several selectors that match a function one decides what of its calls is
 * recorded: one that names it and its module before one that names it, that before
 * one with a glob, and of several globs the first. Two that name it and ask for
 * different things are a mistake. A function that only triggers, or that others are called
 * in, is one of its own; one that is recorded as well is both.
 *
 * With tracepoints it is the same: their symbols are those of fargs_tpoint_ksyms().
 */
#ifndef FARGS_LAYOUT_SELECT_H
#define FARGS_LAYOUT_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/btf/btfs.h"
#include "select/codegen/bind.h"
#include "select/codegen/compile.h"
#include "abi/refusal.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"
#include "base/error.h"

struct fargs_unloaded;
struct fargs_pattern;

/*
 * Finds the modules that are not loaded and have what @pattern matches, which nothing of @loaded
 * does: layout/unmet.h.
 */
typedef void fargs_unloaded_fn(struct fargs_unloaded *u, const struct fargs_ksyms *loaded,
			       const struct fargs_pattern *pattern, bool is_tpoint);

struct fargs_patterns {
	const char *const *wanted;	/* selectors: fargs-select(7) */
	size_t nr_wanted;
	const char *const *unwanted;
	size_t nr_unwanted;
	const char *const *scopes;	/* selectors with a condition or none: --under */
	size_t nr_scopes;
	const char *const *triggers;	/* selectors: --trigger */
	size_t nr_triggers;
	bool is_tpoint;			/* of tracepoints, not of functions: no scopes */
	const struct fargs_bind_options *options;	/* NULL: the usual ones */
	const struct fargs_ksyms *loaded;	/* has all modules; NULL: what is chosen from */
	fargs_unloaded_fn *unloaded;	/* NULL: modules that are not loaded are not looked at */
};

/* A function that was asked for, to be recorded, to trigger, or because others are called in it. */
struct fargs_pick {
	const struct fargs_ksym *sym;	/* in the given symbols */
	struct btf *btf;		/* NULL: none describes it */
	uint32_t func_id;		/* in @btf; 0: none. Tracepoints: __traceiter_NAME */
	enum fargs_refusal why;		/* FARGS_REFUSAL_NONE: it has a layout */
	bool is_exact;			/* asked for by its name, not by a glob */
	bool is_type_certain;		/* @func_id is it, not one that is passed alike */
	bool is_silent;			/* not to be recorded */
	bool is_tpoint;			/* it is a tracepoint, and has no address */
	size_t offset;			/* of its layout in the layouts, in bytes */
};

/* Functions that a selector with a glob asks for, but another one decides about. */
struct fargs_overlap {
	size_t nr;
	char *text;			/* the selector */
	char *by;			/* the one that decides, about the first of them at least */
};

struct fargs_select {
	struct fargs_pick *picks;	/* by address, no address twice, all with a layout */
	size_t nr_picks;
	struct fargs_pick *refused;	/* by address */
	size_t nr_refused;
	struct fargs_overlap *overlaps;
	size_t nr_overlaps;
	struct fargs_layouts layouts;	/* of picks, in their order */
};

/* Can the patterns be read? -errno with the reason in @err. */
int fargs_select_check(const struct fargs_patterns *patterns, struct fargs_error_text *err);
/*
 * The addresses of all symbols that may be asked for by them, each once, to be freed;
 * -E2BIG: they are more than @max.
 */
int fargs_select_candidates(const struct fargs_patterns *patterns, const struct fargs_ksyms *ksyms,
			    size_t max, uint64_t **addrs, size_t *nr,
			    struct fargs_error_text *err);
/*
 * @ksyms, @btfs and @avail must outlive it; @avail may be NULL: then what ftrace
 * can trace is left to the module. NULL on failure, with the reason in @err: a
 * NAME that is not there (and near ones), or that is but cannot be traced; a
 * glob that matches nothing that can.
 */
struct fargs_select *fargs_select_create(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err);
/*
 * The same, but nothing is a mistake as long as the patterns can be read: for
 * lists and counts. Unknown names give nothing.
 */
struct fargs_select *fargs_select_survey(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err);
void fargs_select_destroy(struct fargs_select *sel);

#endif
