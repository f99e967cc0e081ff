/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether compiled layouts (uapi/fargs_layout.h) need a return probe, and removes the return
 * from layouts that do not need it.
 */
#ifndef FARGS_SELECT_CODEGEN_ENTRY_ONLY_H
#define FARGS_SELECT_CODEGEN_ENTRY_ONLY_H

#include <stdbool.h>
#include <stddef.h>

/* Does the function with this layout get a return probe? */
bool fargs_layout_has_return(const unsigned char *layout);
/*
 * Does the layout need the return for more than values to record? It does if a condition at the
 * return decides which calls are recorded, or if the function is a scope, which ends at the return.
 * Triggers are included even if they have no condition at the return.
 */
bool fargs_layout_needs_return(const unsigned char *layout);
/*
 * Removes the return from @layout, which must have a return but not need it. Each call is then
 * recorded only at its entry, with the same values as before except those of the return. Returns
 * the new, smaller size of the layout.
 */
size_t fargs_layout_make_entry_only(unsigned char *layout);

#endif
