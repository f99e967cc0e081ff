/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layouts that have a name in the place of an address: of functions that are to come, and
 * of tracepoints.
 */
#ifndef FARGS_LAYOUT_NAMED_H
#define FARGS_LAYOUT_NAMED_H

#include <stdint.h>

#include "select/codegen/compile.h"
#include "uapi/fargs_layout.h"

/*
 * Appends to @to the layout that is in memory at @from, for the symbol @name of @module;
 * @flags: enum fargs_layout_flags that it gets besides; @symbol: the rest of it. -ENOMEM.
 */
int fargs_layouts_add_named(struct fargs_layouts *to, const unsigned char *from, uint32_t flags,
			    const struct fargs_symbol *symbol, const char *module,
			    const char *name);

#endif
