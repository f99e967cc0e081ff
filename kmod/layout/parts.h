/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Returns the addresses of a layout's parts (include/uapi/fargs_layout.h). They are valid once the
 * size of the layout has been verified.
 */
#ifndef FARGS_KMOD_LAYOUT_PARTS_H
#define FARGS_KMOD_LAYOUT_PARTS_H

#include <linux/types.h>

#include "layout/body.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

static inline const struct fargs_store *fargs_layout_stores(const struct fargs_layout *layout)
{
	return (const void *)(layout + 1);
}

/* Returns the instructions of program @which; there are layout->nr_insns[which] of them. */
static inline const struct fargs_insn *fargs_layout_insns(const struct fargs_layout *layout,
							  u32 which)
{
	const struct fargs_insn *insns;
	u32 i;

	insns = (const void *)(fargs_layout_stores(layout) + layout->nr_stores);
	for (i = 0; i < which; i++)
		insns += layout->nr_insns[i];
	return insns;
}

static inline struct fargs_body fargs_layout_body(const struct fargs_layout *layout)
{
	return (struct fargs_body){
		.bytes = (const u8 *)fargs_layout_insns(layout, FARGS_PROGS),
		.len = layout->body_len,
	};
}

static inline struct fargs_body fargs_layout_return_body(const struct fargs_layout *layout)
{
	return (struct fargs_body){
		.bytes = fargs_layout_body(layout).bytes + layout->body_len,
		.len = layout->return_body_len,
	};
}

static inline const u8 *fargs_layout_consts(const struct fargs_layout *layout)
{
	return fargs_layout_return_body(layout).bytes + layout->return_body_len;
}

/* Only deferred layouts and layouts of tracepoints have a symbol. */
static inline const struct fargs_symbol *fargs_layout_symbol(const struct fargs_layout *layout)
{
	return (const void *)(fargs_layout_consts(layout) + layout->const_len);
}

/* Does @store fill the return body? */
static inline bool fargs_store_is_return(const struct fargs_store *store)
{
	return store->source == FARGS_SOURCE_RETURN || store->source == FARGS_SOURCE_ENTRY_TSC;
}

#endif
