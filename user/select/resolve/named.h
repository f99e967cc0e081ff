/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts with the name of a symbol: for tracepoints, and for functions that fargs.ko looks up when
 * their module is loaded.
 */
#ifndef FARGS_SELECT_RESOLVE_NAMED_H
#define FARGS_SELECT_RESOLVE_NAMED_H

#include <stdint.h>

#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"

/*
 * Appends to @to a copy of the layout at @from, for the symbol @name of @module. @flags: enum
 * fargs_layout_flags to add; only a function with FARGS_LAYOUT_RELOAD keeps its address. @symbol:
 * header that precedes the names in the layout. Returns 0 or -ENOMEM.
 */
int fargs_layouts_add_named(struct fargs_layouts *to, const unsigned char *from, uint32_t flags,
			    const struct fargs_symbol *symbol, const char *module,
			    const char *name);
/* Appends to @to a copy of the layout at @from. Returns 0 or -ENOMEM. */
int fargs_layouts_add_copy(struct fargs_layouts *to, const unsigned char *from);

#endif
