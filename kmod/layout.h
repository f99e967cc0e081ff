/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A layout from user space (include/uapi/fargs_layout.h), verified and turned
 * into a template that the capture path copies without asking.
 */
#ifndef FARGS_LAYOUT_H
#define FARGS_LAYOUT_H

#include <linux/types.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

struct fargs_refusal;

struct fargs_stack_store {
	u16 offset;		/* of the 8 bytes, from the record's start */
	u16 value_offset;	/* of the first 8 bytes of the same value */
	u16 type_offset;	/* of the value's type byte */
	u16 slot;
};

/*
 * What the capture path needs of one function. Constant once made, freed with
 * its session after the last callback has returned.
 */
struct fargs_template {
	u32 head;		/* the record's len, kind and flags */
	u16 len;		/* of the record, in bytes */
	u16 body_len;		/* of the body, in bytes: a multiple of 16, not 0 */
	u16 nr_regs;		/* the first ones, in the order of the ABI */
	u16 nr_stack;
	/* Where each goes, from the record's start; not wanted: into the header's seq. */
	u16 reg_offset[FARGS_REGS];
	u64 body[];		/* body_len bytes, then nr_stack stack stores */
};

static inline const struct fargs_stack_store *fargs_template_stack(const struct fargs_template *t)
{
	return (const void *)t->body + t->body_len;
}

/*
 * Verifies the @nr-th layout of a batch, of which @left bytes are there. Returns
 * its size, or -EINVAL with the reason.
 */
int fargs_layout_verify(const struct fargs_layout *layout, u64 left, u32 nr,
			struct fargs_refusal *refusal);
/* Bytes that the template of a verified layout takes, a multiple of 8. */
size_t fargs_layout_template_size(const struct fargs_layout *layout);
/* Makes it at @t. */
void fargs_layout_fill_template(const struct fargs_layout *layout, struct fargs_template *t);

#endif
