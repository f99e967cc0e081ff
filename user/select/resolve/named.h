/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts that have a name instead of an address: of deferred functions, and of tracepoints.
 */
#ifndef FARGS_SELECT_RESOLVE_NAMED_H
#define FARGS_SELECT_RESOLVE_NAMED_H

#include <stdint.h>

#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"

/*
 * Appends to @to a copy of the layout at @from, for the symbol @name of @module. @flags: enum
 * fargs_layout_flags to add; @symbol: contents of the header of the names. -ENOMEM.
 */
int fargs_layouts_add_named(struct fargs_layouts *to, const unsigned char *from, uint32_t flags,
			    const struct fargs_symbol *symbol, const char *module,
			    const char *name);

#endif
