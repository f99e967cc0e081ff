/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a verified layout is turned into: templates that the capture paths use
 * without asking. Constant once made, but for the counters of missed calls; freed with
 * their session after the last callback has returned.
 */
#ifndef FARGS_KMOD_PROG_TEMPLATE_H
#define FARGS_KMOD_PROG_TEMPLATE_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "prog/prog.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

struct fargs_stack_store {
	u16 offset;		/* of the 8 bytes, from the record's start */
	u16 value_offset;	/* of the first 8 bytes of the same value */
	u16 type_offset;	/* of the value's type byte */
	u16 slot;
};

/* A record as far as it is known before the call, and what goes into it. */
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
 * Calls of a function that are not recorded since their return could not be waited for.
 * Since the session was opened.
 */
struct fargs_missed {
	/* Of traced tasks; incremented in any context, NMI included, on any CPU. */
	atomic64_t nr;
	u64 nr_any;	/* of any task, as the kernel counts; under session->lock */
	/* As nr: made inside calls of the function, see compat/retprobe_fprobe.c. */
	atomic64_t nr_too_deep;
};

/*
 * A template of any path but the plain one. What the hash has is the entry in it.
 * Pointers lead into the same piece of memory.
 *
 * A function with FARGS_LAYOUT_RETURN is composed or not. It is if more of a call has
 * to be kept than its registers: then the body is made at the call, from the entry,
 * and the return body is put behind it at the return. If it is not, the entry is the
 * template of the RETURN record, with both bodies, all of which is filled at the
 * return. One with FARGS_LAYOUT_SCOPE or FARGS_LAYOUT_TRIGGER is composed always.
 */
struct fargs_programs {
	struct fargs_missed missed;	/* far from what every call reads */
	struct fargs_program prog[FARGS_PROGS];
	const void *return_body;	/* is_composed: return_body_len bytes */
	u32 flags;		/* enum fargs_layout_flags */
	/*
	 * ENTRY (0) and RETURN (1) programs call what can be traced, or may fault and
	 * so be followed by such calls: they need ftrace's recursion guard.
	 */
	bool is_guarded[2];
	u8 depth;		/* how often preemption is disabled for it when it is filled */
	u16 values_len;		/* bytes of the body's values: what is appended follows them */
	u16 append_max;		/* bytes that ENTRY_FETCH and RETURN_FETCH append at most */
	u16 return_append_max;
	u16 return_values_len;	/* bytes of the return body's values */
	u16 return_body_len;	/* in bytes: a multiple of 16 */
	/*
	 * Where each goes, from the record's start; is_composed: from the return body's.
	 * Not wanted: into the header's seq; is_composed: behind the return body.
	 */
	u16 return_offset;
	u16 return_high_offset;
	u16 entry_tsc_offset;
	bool is_composed;
	/* ENTRY_FETCH is chains (prog/chain.h); no stack slots, no trigger, only regconds. */
	bool is_chains;
	bool is_slow;			/* there is more to a call than to keep registers */
	struct fargs_template entry;	/* last: it goes on behind its end */
};

static inline const struct fargs_programs *fargs_template_programs(const struct fargs_template *t)
{
	return (const void *)t - offsetof(struct fargs_programs, entry);
}

/* The same for whoever may change it. */
static inline struct fargs_programs *fargs_template_own(struct fargs_template *t)
{
	return (void *)t - offsetof(struct fargs_programs, entry);
}

static inline struct fargs_missed *fargs_template_missed(struct fargs_template *t)
{
	return &fargs_template_own(t)->missed;
}

/* What the predicate @which says of a call; none accepts all of them. */
static __always_inline struct fargs_verdict
fargs_programs_decide(const struct fargs_programs *programs, enum fargs_prog which,
		      const struct fargs_call *call)
{
	const struct fargs_program *prog = &programs->prog[which];

	if (!prog->nr)
		return (struct fargs_verdict){ .is_accepted = true };
	return fargs_prog_decide(prog, call);
}

/**
 * fargs_template_size() - how large the template of a verified layout is
 * @layout: the layout
 *
 * Context: Any context.
 * Return: Bytes, a multiple of 8.
 */
size_t fargs_template_size(const struct fargs_layout *layout);

/**
 * fargs_template_make() - make the template of a verified layout
 * @layout: the layout
 * @to: where; fargs_template_size() bytes
 *
 * Context: Process context. May sleep.
 * Return: The template, at @to; unless the path is the plain one it is the entry of a struct
 *	fargs_programs, which is there.
 */
struct fargs_template *fargs_template_make(const struct fargs_layout *layout, void *to);

/**
 * fargs_template_set_depth() - say how often preemption is disabled for a tracepoint's probe
 * @t: of a tracepoint; nobody is using it now
 * @depth: with what the probe itself does
 *
 * The kernel does so for some and not for others.
 *
 * Context: Any context.
 */
void fargs_template_set_depth(struct fargs_template *t, u8 depth);

/**
 * fargs_template_make_slow() - have a function of the return path ask more of each call
 * @t: of the function; nobody is using it now
 *
 * Sets is_slow.
 *
 * Context: Any context.
 */
void fargs_template_make_slow(struct fargs_template *t);

#endif
