/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Templates, made from verified layouts. The capture paths use them without further checks.
 * Constant once created, except for the counters of missed calls. Lifetime: freed with their
 * session, after the last callback has returned.
 */
#ifndef FARGS_KMOD_PROG_TEMPLATE_H
#define FARGS_KMOD_PROG_TEMPLATE_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "prog/prog.h"
#include "prog/regrange.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

struct fargs_capture;

struct fargs_stack_store {
	u16 offset;		/* offset in the record at which the slot's 8 bytes are stored */
	u16 value_offset;	/* offset in the record of the value's first 8 bytes */
	u16 type_offset;	/* offset in the record of the value's type byte */
	u16 slot;		/* number of the stack slot */
};

/* The constant part of a function's records, and where to store registers and stack slots. */
struct fargs_template {
	const struct fargs_capture *capture;	/* of the session that the template belongs to */
	u32 head;		/* len, kind and flags of the record */
	/*
	 * Bytes that the fast part of the plain path reserves: @len or, if there are stack slots,
	 * more than any ring has, so that the slow part takes the call. 0 on the other paths.
	 */
	u32 fast_len;
	u32 len;		/* length of the record in bytes */
	u16 body_len;		/* length of the body in bytes: a multiple of 16, not 0 */
	u16 nr_regs;		/* number of registers to store, in the order of the ABI */
	u16 nr_stack;		/* number of stack slots to store */
	u16 shape;		/* see fargs_template_shape() */
	/*
	 * Offset in the record at which each register is stored. A register that is not recorded is
	 * stored at the header's seq, which is overwritten afterwards.
	 */
	u16 reg_offset[FARGS_REGS];
	u64 body[];		/* body_len bytes, then nr_stack stack stores */
};

/*
 * Returns the shape of a template: a number from 1 to 2 * FARGS_REGS if @nr_regs registers (not 0)
 * are stored in a body of as many times 16 bytes, or of 16 bytes more; else 0. For these, which are
 * most functions, the plain path finds out only once what to copy.
 */
static __always_inline u32 fargs_template_shape(u32 nr_regs, u32 body_len)
{
	u32 extra = body_len - 16 * nr_regs;

	return nr_regs && (extra == 0 || extra == 16) ? 2 * nr_regs - 1 + extra / 16 : 0;
}

static inline const struct fargs_stack_store *fargs_template_stack(const struct fargs_template *t)
{
	return (const void *)t->body + t->body_len;
}

/*
 * Numbers of calls, since the session was opened, that are not recorded because their return could
 * not be captured.
 */
struct fargs_missed {
	/* Calls of traced tasks; incremented in any context, NMI included, on any CPU. */
	atomic64_t nr;
	u64 nr_any;	/* missed calls of any task, counted by the kernel; under session->lock */
	/*
	 * Nested calls made inside calls of the function, and not captured (see trace_overrun in
	 * compat/retprobe_fprobe.c); incremented in any context, NMI included, on any CPU.
	 */
	atomic64_t nr_too_deep;
};

/* What a call of a function with programs begins with, after its sequence number. */
enum fargs_first_step {
	FARGS_FIRST_CHAINS,	/* the fetch program, which consists of chains */
	FARGS_FIRST_RANGE,	/* the predicate, which is a range (prog/regrange.h) */
	FARGS_FIRST_TABLE,	/* the predicate, which is a table (prog/regcond.h) */
	FARGS_FIRST_OTHER,	/* anything else */
};

/*
 * The templates of all paths except the plain one. The hash (base/funchash.h) points to member
 * @entry. The pointers in this struct point into the same allocation.
 *
 * A function with FARGS_LAYOUT_RETURN is composed if its calls need more at the return than their
 * registers: if it has programs, stack slots, FARGS_LAYOUT_GRAPH, _SCOPE or _TRIGGER, or if a
 * record with both bodies, padded to 16 bytes, would exceed FARGS_RECORD_MAX. The body is then
 * made at the call, from entry, and the return body is appended to it at the return. If the
 * function is not composed, entry is the template of the RETURN record, with both bodies, and the
 * whole record is filled at the return.
 */
struct fargs_programs {
	struct fargs_missed missed;	/* not on a cache line that each call reads */
	struct fargs_program prog[FARGS_PROGS];
	const void *return_body;	/* @return_body_len bytes; used only if @is_composed */
	u32 flags;		/* enum fargs_layout_flags */
	/*
	 * The ENTRY (0) or RETURN (1) programs need a recursion guard (probe/guard.h), since they
	 * call functions that can be traced, or may fault, which also leads to calls of such
	 * functions. On the return path the kernel already holds a guard.
	 */
	bool is_guarded[2];
	u8 depth;		/* how often tracing code disables preemption during a capture */
	u16 values_len;		/* length of the body's values; appended values follow */
	u16 append_max;		/* maximum number of bytes that ENTRY_FETCH appends */
	u16 return_append_max;	/* maximum number of bytes that RETURN_FETCH appends */
	u16 return_values_len;	/* length of the return body's values */
	u16 return_body_len;	/* length of the return body in bytes: a multiple of 16 */
	/*
	 * Offsets of the return values, in the record or, if is_composed, in the return body.
	 * The offset of a value that is not recorded is that of the header's seq, which is written
	 * later, or, if is_composed, of room after the return body.
	 */
	u16 return_offset;
	u16 return_high_offset;
	u16 entry_tsc_offset;
	bool is_composed;
	/*
	 * ENTRY_FETCH consists of chains (prog/chain.h); the predicate, if there is one, is a table
	 * of struct fargs_regcond; and there are no stack slots and no trigger.
	 */
	bool is_chains;
	bool is_slow;			/* calls are handled by ret_call_slow() (probe/ret.c) */
	u8 first_step;			/* enum fargs_first_step */
	/* The ENTRY predicate, if it is one. Near @entry, which accepted calls read next. */
	struct fargs_regrange range;
	struct fargs_template entry;	/* last, since its body follows it */
};

static inline const struct fargs_programs *fargs_template_programs(const struct fargs_template *t)
{
	return (const void *)t - offsetof(struct fargs_programs, entry);
}

/* Like fargs_template_programs(), for callers that change the struct fargs_programs. */
static inline struct fargs_programs *fargs_template_own(struct fargs_template *t)
{
	return (void *)t - offsetof(struct fargs_programs, entry);
}

static inline struct fargs_missed *fargs_template_missed(struct fargs_template *t)
{
	return &fargs_template_own(t)->missed;
}

/* Returns the verdict of predicate @which on a call. If there is no predicate, accepts the call. */
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
 * @capture: of the session that the template belongs to
 * @to: memory for the template, of fargs_template_size() bytes
 *
 * Context: Process context. May sleep.
 * Return: The template: @to itself on the plain path; on the other paths, fargs_programs.entry of
 *	the struct fargs_programs at @to.
 */
struct fargs_template *fargs_template_make(const struct fargs_layout *layout,
					   const struct fargs_capture *capture, void *to);

/**
 * fargs_template_set_depth() - set how often preemption is disabled during a tracepoint's probe
 * @t: template of a tracepoint, which is not in use yet
 * @depth: how often preemption is disabled, including by the probe itself
 *
 * The kernel disables preemption for the probes of some tracepoints, and not for others.
 *
 * Context: Any context.
 */
void fargs_template_set_depth(struct fargs_template *t, u8 depth);

/**
 * fargs_template_make_slow() - have ret_call_slow() (probe/ret.c) handle all calls of a function
 * @t: template of a function with a return probe, which is not in use yet
 *
 * Context: Any context.
 */
void fargs_template_make_slow(struct fargs_template *t);

#endif
