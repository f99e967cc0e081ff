/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts with a name instead of an address, for deferred functions and for tracepoints.
 */
#ifndef FARGS_SELECT_RESOLVE_NAMED_H
#define FARGS_SELECT_RESOLVE_NAMED_H

#include <stdint.h>

#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"

/*
 * Appends to @to a copy of the layout at @from, for the symbol @name of @module. @flags: enum
 * fargs_layout_flags to add; @symbol: header that precedes the names in the layout. Returns 0 or
 * -ENOMEM.
 */
int fargs_layouts_add_named(struct fargs_layouts *to, const unsigned char *from, uint32_t flags,
			    const struct fargs_symbol *symbol, const char *module,
			    const char *name);

#endif
