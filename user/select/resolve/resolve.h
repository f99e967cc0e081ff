/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the BTF function of a symbol, and checks whether the match is reliable.
 */
#ifndef FARGS_SELECT_RESOLVE_RESOLVE_H
#define FARGS_SELECT_RESOLVE_RESOLVE_H

#include <stdbool.h>

#include "abi/refusal.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"
#include "select/codegen/compile.h"
#include "select/resolve/select.h"

struct fargs_resolver;

/*
 * @ksyms, @btfs and @avail (may be NULL) must outlive the resolver. @is_tpoint: the symbols are
 * those of tracepoints. Returns NULL if out of memory.
 */
struct fargs_resolver *fargs_resolver_create(const struct fargs_ksyms *ksyms,
					     struct fargs_btfs *btfs,
					     const struct fargs_avail *avail, bool is_tpoint);
void fargs_resolver_destroy(struct fargs_resolver *r);

/*
 * Fills @match (except is_exact) for @sym, one of the resolver's symbols, and appends its layout to
 * @layouts; if there is no layout, sets match->why to the reason. Returns 0 or -ENOMEM.
 */
int fargs_resolver_match(struct fargs_resolver *r, const struct fargs_ksym *sym,
			 struct fargs_layouts *layouts, struct fargs_match *match);

#endif
