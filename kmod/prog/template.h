/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Templates, which are made of verified layouts, and which the capture paths use without
 * further checks. Constant once created, except for the counters of missed calls. Lifetime:
 * freed with their session, after the last callback has returned.
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
	u16 offset;		/* of the 8 bytes, from the start of the record */
	u16 value_offset;	/* of the first 8 bytes of the same value */
	u16 type_offset;	/* of the type byte of the value */
	u16 slot;
};

/* The part of a record that is known before the call, and how to fill in the rest. */
struct fargs_template {
	u32 head;		/* len, kind and flags of the record */
	u16 len;		/* length of the record in bytes */
	u16 body_len;		/* length of the body in bytes: a multiple of 16, not 0 */
	u16 nr_regs;		/* how many registers to store, in the order of the ABI */
	u16 nr_stack;		/* how many stack slots to store */
	/*
	 * Offset of each register from the start of the record. A register that is not recorded is
	 * stored at the header's seq, which is written after it.
	 */
	u16 reg_offset[FARGS_REGS];
	u64 body[];		/* body_len bytes, then nr_stack stack stores */
};

static inline const struct fargs_stack_store *fargs_template_stack(const struct fargs_template *t)
{
	return (const void *)t->body + t->body_len;
}

/*
 * Calls of a function that are not recorded because their return could not be waited for.
 * Counted from the opening of the session on.
 */
struct fargs_missed {
	/* Calls of traced tasks; incremented in any context, NMI included, on any CPU. */
	atomic64_t nr;
	u64 nr_any;	/* calls of any task, counted by the kernel; under session->lock */
	/* Nested calls inside calls of the function, see compat/retprobe_fprobe.c; as nr. */
	atomic64_t nr_too_deep;
};

/*
 * A template of any path but the plain one. The hash points to its entry. Its pointers
 * lead into the same allocation.
 *
 * A function with FARGS_LAYOUT_RETURN is composed if more of a call than its registers
 * needs to be kept until the return: the body is then made at the call, from the entry,
 * and the return body is appended to it at the return. Otherwise the entry is the template
 * of the RETURN record, with both bodies, and is filled completely at the return. A
 * function with FARGS_LAYOUT_SCOPE or FARGS_LAYOUT_TRIGGER is always composed.
 */
struct fargs_programs {
	struct fargs_missed missed;	/* apart from the fields that every call reads */
	struct fargs_program prog[FARGS_PROGS];
	const void *return_body;	/* if is_composed: return_body_len bytes */
	u32 flags;		/* enum fargs_layout_flags */
	/*
	 * ENTRY (0) and RETURN (1) programs call functions that can be traced, or may fault,
	 * which leads to such calls: they need a recursion guard (probe/guard.h). On the return
	 * path the kernel holds one.
	 */
	bool is_guarded[2];
	u8 depth;		/* how often tracing has disabled preemption at the capture */
	u16 values_len;		/* length of the body's values, which appended values follow */
	u16 append_max;		/* bytes that ENTRY_FETCH appends at most */
	u16 return_append_max;	/* bytes that RETURN_FETCH appends at most */
	u16 return_values_len;	/* length of the return body's values */
	u16 return_body_len;	/* length of the return body: a multiple of 16 */
	/*
	 * Offsets from the start of the record; if is_composed, of the return body. Values that
	 * are not recorded are stored at the header's seq; if is_composed, after the return body.
	 */
	u16 return_offset;
	u16 return_high_offset;
	u16 entry_tsc_offset;
	bool is_composed;
	/*
	 * ENTRY_FETCH consists of chains (prog/chain.h), the predicate, if any, of regconds; no
	 * stack slots, no trigger.
	 */
	bool is_chains;
	bool is_slow;			/* a call needs more than keeping its registers */
	struct fargs_template entry;	/* last, since its body follows it */
};

static inline const struct fargs_programs *fargs_template_programs(const struct fargs_template *t)
{
	return (const void *)t - offsetof(struct fargs_programs, entry);
}

/* The same for callers that may change it. */
static inline struct fargs_programs *fargs_template_own(struct fargs_template *t)
{
	return (void *)t - offsetof(struct fargs_programs, entry);
}

static inline struct fargs_missed *fargs_template_missed(struct fargs_template *t)
{
	return &fargs_template_own(t)->missed;
}

/* The verdict of predicate @which on a call; without such a predicate, every call is accepted. */
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
 * fargs_template_size() - get the size of the template of a layout
 * @layout: a verified layout
 *
 * Context: Any context.
 * Return: The size in bytes, a multiple of 8.
 */
size_t fargs_template_size(const struct fargs_layout *layout);

/**
 * fargs_template_make() - make the template of a layout
 * @layout: a verified layout
 * @to: memory for the template; fargs_template_size() bytes
 *
 * Context: Process context. May sleep.
 * Return: The template, in @to. On the plain path it is at @to; on the others @to is a struct
 *	fargs_programs, and the template is its entry.
 */
struct fargs_template *fargs_template_make(const struct fargs_layout *layout, void *to);

/**
 * fargs_template_set_depth() - set how often preemption is disabled for a tracepoint's probe
 * @t: template of a tracepoint, which is not in use
 * @depth: how often, including by the probe itself
 *
 * The kernel disables preemption for the probes of some tracepoints, and not for others.
 *
 * Context: Any context.
 */
void fargs_template_set_depth(struct fargs_template *t, u8 depth);

/**
 * fargs_template_make_slow() - set is_slow of a function of the return path
 * @t: template of the function, which is not in use
 *
 * Context: Any context.
 */
void fargs_template_make_slow(struct fargs_template *t);

#endif
