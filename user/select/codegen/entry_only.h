/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiled layouts (uapi/fargs_layout.h) and their returns.
 */
#ifndef FARGS_SELECT_CODEGEN_ENTRY_ONLY_H
#define FARGS_SELECT_CODEGEN_ENTRY_ONLY_H

#include <stdbool.h>
#include <stddef.h>

/* Does the function with this layout get a return probe? */
bool fargs_layout_has_return(const unsigned char *layout);
/*
 * Does the layout need the return for more than values to record? It does if a condition at the
 * return decides which calls are recorded, if the function is a scope, which ends at the return,
 * and if the function is a trigger.
 */
bool fargs_layout_needs_return(const unsigned char *layout);
/*
 * Changes @layout, which has a return but does not need it, into the layout that records the same
 * of each call, at its entry, and nothing of its return. Returns the size of the layout, which is
 * smaller than before.
 */
size_t fargs_layout_make_entry_only(unsigned char *layout);

#endif
