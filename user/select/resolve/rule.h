/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selection rules: the selectors of a command, parsed once and read-only afterwards.
 */
#ifndef FARGS_SELECT_RESOLVE_RULE_H
#define FARGS_SELECT_RESOLVE_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernel/sym/ksyms.h"
#include "select/codegen/bind.h"
#include "select/resolve/pattern.h"
#include "select/syntax/selector.h"

struct fargs_missing;
struct fargs_unloaded;

/*
 * Finds modules that are not in @loaded and have a symbol that matches @pattern, and stores them in
 * @u (select/resolve/unmatched.h). Called only if @pattern selects nothing in the running kernel.
 */
typedef void fargs_unloaded_fn(struct fargs_unloaded *u, const struct fargs_ksyms *loaded,
			       const struct fargs_pattern *pattern, bool is_tpoint);

/* The selectors of a command as text, and their options. */
struct fargs_patterns {
	const char *const *wanted;	/* selectors as in -f or -t: see fargs-select(7) */
	size_t nr_wanted;
	const char *const *unwanted;
	size_t nr_unwanted;
	const char *const *scopes;	/* selectors of --under, which have no fetches */
	size_t nr_scopes;
	const char *const *triggers;	/* selectors of --trigger */
	size_t nr_triggers;
	bool is_tpoint;			/* select tracepoints, not functions; no scopes */
	const struct fargs_bind_options *options;	/* options of bind.h; NULL: the defaults */
	/* Symbols of the kernel and the loaded modules; NULL: the symbols to select from. */
	const struct fargs_ksyms *loaded;
	fargs_unloaded_fn *unloaded;	/* NULL: modules that are not loaded are not searched */
	/* Mount point of tracefs, for suggestions of the option -e; NULL: no such suggestions. */
	const char *tracefs;
	/* Selectors that select nothing (select/resolve/missing.h); NULL: they are an error. */
	struct fargs_missing *missing;
	bool is_any;		/* also select functions whose arguments are not proven */
};

/* One selector, parsed. */
struct fargs_rule {
	struct fargs_selector selector;
	struct fargs_pattern pattern;	/* pattern that the functions match */
	unsigned int rank;		/* of several matching rules, the highest rank applies */
};

/* Number of ranks that a rule can have. */
#define FARGS_RULE_RANKS	3
/* Diagnostic for a rule that selects tracepoints but needs a return. */
#define FARGS_RULE_NO_RETURN	"a tracepoint has neither a return value nor a duration"

/* All rules of a command. To use fewer of them, change a copy; do not deinitialize copies. */
struct fargs_rules {
	const struct fargs_rule **wanted;
	size_t nr_wanted;
	const struct fargs_rule *scopes;
	size_t nr_scopes;
	const struct fargs_rule *triggers;
	size_t nr_triggers;
	const struct fargs_pattern *unwanted;
	size_t nr_unwanted;
	/* Symbols of the kernel, for its variables; NULL: @loaded has them. */
	const struct fargs_ksyms *variables;
	/* The following are as in struct fargs_patterns. */
	bool is_tpoint;
	const struct fargs_bind_options *options;
	const struct fargs_ksyms *loaded;
	fargs_unloaded_fn *unloaded;
	const char *tracefs;
	struct fargs_missing *missing;
	bool is_any;
	/* Storage of the rules; the first @nr are initialized. */
	struct fargs_rule *all;
	size_t nr;
	struct fargs_pattern *all_unwanted;
};

/*
 * Parses all of @patterns, whose strings must outlive @rules. Returns 0, or -errno with the reason
 * in @err. Call fargs_rules_deinit() in either case.
 */
int fargs_rules_init(struct fargs_rules *rules, const struct fargs_patterns *patterns,
		     struct fargs_error_text *err);
/* @rules may be all zeroes. */
void fargs_rules_deinit(struct fargs_rules *rules);

#endif
