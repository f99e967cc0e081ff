/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects functions by patterns ("vmlinux:vfs_*", "ext4:*") and makes their layouts.
 *
 * A pattern is [MODULE:]NAME, both of them globs; "vmlinux" is the kernel itself. Without a
 * module, the kernel and all modules are searched. A NAME without special characters must yield a
 * function, otherwise it is reported as an error. Of the functions that a glob matches, those
 * that cannot be traced are skipped, and so are those on which the rest of the selector is
 * invalid.
 *
 * If several selectors match a function, one of them applies: one that names the function and its
 * module takes precedence over one that names the function, that one over a glob, and an earlier
 * glob over a later one. Two that name it and request different things are an error. A function
 * that is only a trigger or a scope has a layout of its own; one that is recorded, too, has one
 * for both.
 *
 * Tracepoints work the same way, with the symbols of fargs_tpoint_ksyms().
 */
#ifndef FARGS_SELECT_RESOLVE_SELECT_H
#define FARGS_SELECT_RESOLVE_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/refusal.h"
#include "base/error.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"
#include "select/codegen/compile.h"
#include "select/resolve/rule.h"

/* A function that matches a selector: to be recorded, or as a trigger or scope. */
struct fargs_match {
	const struct fargs_ksym *sym;	/* one of the symbols selected from */
	struct btf *btf;		/* NULL: no BTF describes it */
	uint32_t func_id;		/* in @btf; 0: none. Tracepoints: __traceiter_NAME */
	enum fargs_refusal why;		/* why it has no layout; FARGS_REFUSAL_NONE: it has one */
	bool is_exact;			/* selected by its name, not by a glob */
	bool is_type_certain;		/* @func_id is its type, not another passed alike */
	bool is_silent;			/* not recorded */
	bool is_tpoint;			/* a tracepoint, which has no address */
	size_t offset;			/* of its layout in the layouts, in bytes */
};

/* Functions that match a selector with a glob, but to which another one applies. */
struct fargs_overlap {
	size_t nr;
	char *text;			/* the selector */
	char *by;			/* selector that applies, at least to the first of them */
};

struct fargs_select {
	struct fargs_match *matches;	/* by address, unique, all with a layout */
	size_t nr_matches;
	struct fargs_match *refused;	/* by address */
	size_t nr_refused;
	struct fargs_overlap *overlaps;
	size_t nr_overlaps;
	struct fargs_layouts layouts;	/* of the matches, in the same order */
};

/*
 * Addresses of all symbols that @rules may select, each once; free *@addrs. -E2BIG: more than
 * @max.
 */
int fargs_select_candidates(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			    size_t max, uint64_t **addrs, size_t *nr,
			    struct fargs_error_text *err);
/*
 * Selects by @rules. @ksyms, @btfs and @avail must outlive the result; if @avail is NULL, the
 * module will check which functions ftrace can trace. NULL on failure, with the reason in @err: a
 * NAME that does not exist (with similar ones), or that cannot be traced; a glob without any
 * match that can be traced. With @is_survey, for lists and counts, none of these is a failure.
 */
struct fargs_select *fargs_select_by_rules(const struct fargs_rules *rules,
					   const struct fargs_ksyms *ksyms,
					   struct fargs_btfs *btfs,
					   const struct fargs_avail *avail, bool is_survey,
					   struct fargs_error_text *err);
/* The same for patterns that are used once; invalid ones are a failure, too. */
struct fargs_select *fargs_select_create(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err);
/* The same with is_survey. */
struct fargs_select *fargs_select_survey(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err);
void fargs_select_destroy(struct fargs_select *sel);

#endif
