/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which BTF function a symbol is, and whether that can be relied on.
 */
#ifndef FARGS_LAYOUT_RESOLVE_H
#define FARGS_LAYOUT_RESOLVE_H

#include <stdbool.h>

#include "kernel/btf/btfs.h"
#include "select/codegen/compile.h"
#include "abi/refusal.h"
#include "select/resolve/select.h"
#include "kernel/sym/ftrace_avail.h"
#include "kernel/sym/ksyms.h"

struct fargs_resolver;

/*
 * @ksyms, @btfs and @avail (may be NULL) must outlive it. @is_tpoint: the symbols are those
 * of tracepoints. NULL: no memory.
 */
struct fargs_resolver *fargs_resolver_create(const struct fargs_ksyms *ksyms,
					     struct fargs_btfs *btfs,
					     const struct fargs_avail *avail, bool is_tpoint);
void fargs_resolver_destroy(struct fargs_resolver *r);

/*
 * Fills @pick (all but is_exact) for @sym, one of the resolver's symbols, and
 * appends its layout to @layouts, unless pick->why says why there is none. 0, or
 * -ENOMEM.
 */
int fargs_resolver_pick(struct fargs_resolver *r, const struct fargs_ksym *sym,
			struct fargs_layouts *layouts, struct fargs_pick *pick);

#endif
