/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A decoded record, as all outputs and filters use it. Pointers live until the next event of the
 * same decoder.
 */
#ifndef FARGS_MODEL_EVENT_H
#define FARGS_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/record.h"
#include "uapi/fargs_record.h"

struct btf;
struct fargs_func;
struct fargs_ksyms;

/* Context of a call, as ftrace's latency columns show it. */
enum fargs_context {
	FARGS_CONTEXT_IRQS_OFF = 1 << 0,
	FARGS_CONTEXT_BH_OFF = 1 << 1,
	FARGS_CONTEXT_RESCHED_TIF = 1 << 2,
	FARGS_CONTEXT_RESCHED_LAZY = 1 << 3,
	FARGS_CONTEXT_RESCHED_PREEMPT = 1 << 4,
	FARGS_CONTEXT_SOFTIRQ = 1 << 5,		/* serving a softirq */
	FARGS_CONTEXT_HARDIRQ = 1 << 6,
	FARGS_CONTEXT_NMI = 1 << 7,
};

/* Properties of a value that BTF describes and its type byte does not. */
enum fargs_shape {
	FARGS_SHAPE_PLAIN = 0,
	FARGS_SHAPE_ENUM,	/* base_id is a BTF_KIND_ENUM or ENUM64 */
	FARGS_SHAPE_FUNC,	/* a pointer to a function */
	FARGS_SHAPE_AGGREGATE,	/* base_id is a BTF_KIND_STRUCT, UNION or ARRAY */
};

/* One argument, in the order of the record. */
struct fargs_arg {
	struct fargs_value val;
	const struct btf *btf;	/* NULL: the type is unknown */
	uint32_t btf_id;	/* type of the parameter, in @btf */
	uint32_t base_id;	/* the same without typedefs and qualifiers */
	uint8_t shape;		/* enum fargs_shape */
	bool is_fetched;	/* no parameter: fetched by an expression, which is its name */
	bool is_hex;		/* to be shown in hexadecimal */
	bool is_range;		/* an array of btf_id (0: bytes) that fills val.bytes */
	unsigned int name_len;	/* bytes of the name to show; 0: all of it */
};

struct fargs_event {
	uint8_t kind;		/* enum fargs_kind */
	bool is_event;		/* from the event stream: model/event_record.h */
	bool is_trigger;	/* ENTRY, RETURN: the call triggered */
	unsigned int cpu;
	uint64_t time_ns;	/* perf clock */
	uint64_t tsc;
	uint64_t seq;
	pid_t tid;		/* 0: the idle task */
	pid_t tgid;		/* -1: unknown */
	pid_t shown_tid;	/* tid to show: @tid, or the task's id in its own pid namespace */
	bool is_tid_unsure;	/* the latter was requested but is unknown: shown_tid is tid */
	char comm[FARGS_COMM_LEN + 1];	/* as the kernel has it: not escaped */
	unsigned int context;	/* enum fargs_context */
	unsigned int preempt_depth;
	uint64_t ip;
	uint64_t parent_ip;
	const struct fargs_func *func;	/* NULL: not a traced function */
	uint32_t bytes;		/* bytes of the record */
	pid_t new_tid;		/* FARGS_KIND_TASK: tid of the forked task; 0: not a fork */
	pid_t old_tid;		/* FARGS_KIND_TASK: old tid of an exec'ing thread; 0: not an exec */
	const struct fargs_record *change;	/* FARGS_KIND_TASK: for model/tasks.h */
	pid_t next_tid;		/* FARGS_KIND_SWITCH: tid of the task that runs next */
	uint64_t lost;		/* FARGS_KIND_LOST: sequence numbers or events dropped before it */
	const struct fargs_record *formatted;	/* FARGS_KIND_EVENT: for model/formats.h */
	const struct fargs_ksyms *guest;	/* symbols of the guest its process runs, or NULL */
	/* Parameters in their order, each followed by the values fetched from it. */
	const struct fargs_arg *args;
	unsigned int nr_args;
	bool is_variadic;	/* more arguments may follow, which BTF does not describe */
	const void *stack;	/* return addresses, not aligned, from the caller on */
	unsigned int nr_stack;
	/* FARGS_KIND_RETURN only: */
	const struct fargs_arg *ret;	/* NULL: it returns void, or the result was not requested */
	const struct fargs_arg *out;	/* values fetched at the return */
	unsigned int nr_out;
	bool has_entry;		/* entry_tsc is known */
	uint64_t entry_tsc;	/* TSC at the call */
	bool has_duration;
	uint64_t duration_ns;
};

#endif
