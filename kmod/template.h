/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a verified layout is turned into: templates that the capture paths use
 * without asking. Constant once made, freed with their session after the last
 * callback has returned.
 */
#ifndef FARGS_TEMPLATE_H
#define FARGS_TEMPLATE_H

#include <linux/stddef.h>
#include <linux/types.h>

#include "prog.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

struct fargs_stack_store {
	u16 offset;		/* of the 8 bytes, from the record's start */
	u16 value_offset;	/* of the first 8 bytes of the same value */
	u16 type_offset;	/* of the value's type byte */
	u16 slot;
};

/* What the plain capture path needs of one function. */
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

/* The return body, and what a return stores into it. */
struct fargs_return_template {
	u16 body_len;		/* in bytes: a multiple of 16 */
	u16 values_len;		/* of that, the values, without what ends them */
	/* Where each goes, from the return body's start; FARGS_OFFSET_NONE: not wanted. */
	u16 rax_offset;
	u16 rdx_offset;
	u16 entry_tsc_offset;
	u16 reserved[3];
	u64 body[];
};

#define FARGS_OFFSET_NONE	0xffff

/*
 * A template of any path but the plain one. What the hash has is the entry in it.
 * Pointers lead into the same piece of memory.
 */
struct fargs_programs {
	struct fargs_program prog[FARGS_PROGS];
	const struct fargs_return_template *ret;	/* with FARGS_LAYOUT_RETURN */
	u32 flags;		/* enum fargs_layout_flags */
	/*
	 * ENTRY (0) and RETURN (1) programs call what can be traced, or may fault and
	 * so be followed by such calls: they need ftrace's recursion guard.
	 */
	bool is_guarded[2];
	u16 values_len;		/* bytes of the body's values: what is appended follows them */
	u16 append_max;		/* bytes that ENTRY_FETCH and RETURN_FETCH append at most */
	u16 return_append_max;
	/*
	 * With FARGS_LAYOUT_RETURN. is_composed: the body is made at the call. Else
	 * registers are all there is to it: they are kept, and put into a RETURN record
	 * of return_len bytes.
	 */
	bool is_composed;
	u16 return_len;
	struct fargs_template entry;	/* last: it goes on behind its end */
};

static inline const struct fargs_programs *fargs_template_programs(const struct fargs_template *t)
{
	return (const void *)t - offsetof(struct fargs_programs, entry);
}

/* Bytes that the template of a verified layout takes, a multiple of 8. */
size_t fargs_template_size(const struct fargs_layout *layout);
/*
 * Makes it at @to and returns it; unless the path is the plain one it is the entry
 * of a struct fargs_programs.
 */
const struct fargs_template *fargs_template_make(const struct fargs_layout *layout, void *to);

#endif
