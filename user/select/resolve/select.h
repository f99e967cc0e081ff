/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects functions by patterns ("vmlinux:vfs_*", "ext4:*") and makes their layouts.
 *
 * A pattern is [MODULE:]NAME, both of which may be globs; "vmlinux" is the kernel itself. Without a
 * module, the kernel and all modules are searched. It is an error if a NAME without special
 * characters selects no function. Of the functions that a glob matches, those that cannot be traced
 * are skipped, and so are those on which the rest of the selector is invalid.
 *
 * If several selectors match a function, one of them applies: a selector that names the function
 * and its module takes precedence over one that names only the function, which takes precedence
 * over a glob, and an earlier glob takes precedence over a later one. It is an error if two
 * selectors name the same function and request different things. A function that is only a trigger
 * or a scope has a layout for that purpose; if the function is recorded as well, one layout serves
 * both.
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

/* Is a function or tracepoint traced again when its module is loaded again? */
enum fargs_reload {
	FARGS_RELOAD_UNUSED,		/* not in a loaded module, or fargs.ko is too old */
	FARGS_RELOAD_YES,
	FARGS_RELOAD_NO_BUILD_ID,	/* no: the build id of its module is unknown */
	FARGS_RELOAD_NOT_UNIQUE,	/* no: its module has several functions of that name */
};

/* A function that matches a selector: to be recorded, or as a trigger or scope. */
struct fargs_match {
	const struct fargs_ksym *sym;	/* one of the symbols passed to fargs_select_by_rules() */
	struct btf *btf;		/* NULL: no BTF describes the function */
	uint32_t func_id;		/* BTF id (tracepoint: of __traceiter_NAME); 0: none */
	enum fargs_refusal why;		/* why it has no layout; FARGS_REFUSAL_NONE: it has one */
	bool is_exact;			/* a selector names the function, without a glob */
	bool is_type_certain;		/* @func_id is certainly the function's own type */
	bool is_silent;			/* its calls are not recorded: it is only a scope */
	bool is_unproven;		/* its arguments are neither known nor recorded */
	bool is_tpoint;			/* a tracepoint, which has no address */
	enum fargs_reload reload;	/* set when the layout is added to fargs.ko */
	/*
	 * The order in which functions get return probes if not all of them can have one: by the
	 * rank of the selector that applies, then in the order of the selectors.
	 */
	size_t order;
	bool has_return;		/* set by fargs_returns_limit(): its return is recorded */
	bool is_entry_only;		/* its return was requested, but is not recorded */
	size_t offset;			/* byte offset in the layouts of struct fargs_select */
};

/* Functions that match a selector with a glob, but to which another selector applies. */
struct fargs_overlap {
	size_t nr;
	char *text;			/* the selector with the glob */
	char *by;			/* selector that applies to the first of the functions */
};

struct fargs_select {
	struct fargs_match *matches;	/* functions with a layout, sorted by address, each once */
	size_t nr_matches;
	struct fargs_match *refused;	/* functions without a layout, sorted by address */
	size_t nr_refused;
	struct fargs_overlap *overlaps;
	size_t nr_overlaps;
	size_t nr_entry_only;		/* number of matches with is_entry_only */
	struct fargs_layouts layouts;	/* layouts of the matches, in the same order */
};

/*
 * Sets *@addrs to the addresses of all symbols that @rules may select, each once; the caller frees
 * it. Returns 0, or -errno with the reason in @err; -E2BIG: there are more than @max.
 */
int fargs_select_candidates(const struct fargs_rules *rules, const struct fargs_ksyms *ksyms,
			    size_t max, uint64_t **addrs, size_t *nr,
			    struct fargs_error_text *err);
/*
 * Selects functions by @rules. @ksyms, @btfs and @avail must outlive the result; if @avail is NULL,
 * the module will check which functions ftrace can trace. Returns NULL on failure, with the reason
 * in @err: a NAME does not exist (similar names are suggested) or cannot be traced; or a glob
 * matches nothing that can be traced. With @is_survey, for lists and counts, none of these is a
 * failure.
 */
struct fargs_select *fargs_select_by_rules(const struct fargs_rules *rules,
					   const struct fargs_ksyms *ksyms,
					   struct fargs_btfs *btfs,
					   const struct fargs_avail *avail, bool is_survey,
					   struct fargs_error_text *err);
/*
 * Like fargs_select_by_rules() without @is_survey, for patterns that are used only once. Invalid
 * patterns are a failure, too.
 */
struct fargs_select *fargs_select_create(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err);
/* Like fargs_select_create(), but with @is_survey of fargs_select_by_rules(). */
struct fargs_select *fargs_select_survey(const struct fargs_patterns *patterns,
					 const struct fargs_ksyms *ksyms, struct fargs_btfs *btfs,
					 const struct fargs_avail *avail,
					 struct fargs_error_text *err);
void fargs_select_destroy(struct fargs_select *sel);

#endif
