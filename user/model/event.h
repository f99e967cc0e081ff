/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A decoded record: what every output and filter works on. Pointers live until
 * the next event of the same decoder.
 */
#ifndef FARGS_DECODE_EVENT_H
#define FARGS_DECODE_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/record.h"
#include "uapi/fargs_record.h"

struct btf;
struct fargs_func;
struct fargs_ksyms;

/* As ftrace's latency columns know them. */
enum fargs_context {
	FARGS_CONTEXT_IRQS_OFF = 1 << 0,
	FARGS_CONTEXT_BH_OFF = 1 << 1,
	FARGS_CONTEXT_RESCHED_TIF = 1 << 2,
	FARGS_CONTEXT_RESCHED_LAZY = 1 << 3,
	FARGS_CONTEXT_RESCHED_PREEMPT = 1 << 4,
	FARGS_CONTEXT_SOFTIRQ = 1 << 5,		/* serving one */
	FARGS_CONTEXT_HARDIRQ = 1 << 6,
	FARGS_CONTEXT_NMI = 1 << 7,
};

/* What BTF says of a value beyond its type byte. */
enum fargs_shape {
	FARGS_SHAPE_PLAIN = 0,
	FARGS_SHAPE_ENUM,	/* base_id is a BTF_KIND_ENUM or ENUM64 */
	FARGS_SHAPE_FUNC,	/* a pointer to a function */
	FARGS_SHAPE_AGGREGATE,	/* base_id is a BTF_KIND_STRUCT, UNION or ARRAY */
};

/* One argument, in the order of the record. */
struct fargs_arg {
	struct fargs_value val;
	const struct btf *btf;	/* NULL: no type is known */
	uint32_t btf_id;	/* type of the parameter, in @btf */
	uint32_t base_id;	/* the same without typedefs, const and the like */
	uint8_t shape;		/* enum fargs_shape */
	bool is_fetched;	/* no parameter: by an expression, which is its name */
	bool is_hex;		/* asked for in hexadecimal */
	bool is_range;		/* as many of btf_id (0: bytes) as there is room for */
	unsigned int name_len;	/* of the name, what is to be shown; 0: all of it */
};

struct fargs_event {
	uint8_t kind;		/* enum fargs_kind */
	bool is_event;		/* out of the stream of events: ring/event_record.h */
	bool is_trigger;	/* ENTRY, RETURN: of a call that triggered */
	unsigned int cpu;
	uint64_t time_ns;	/* perf clock */
	uint64_t tsc;
	uint64_t seq;
	pid_t tid;		/* 0: the idle task */
	pid_t tgid;		/* -1: not known */
	pid_t shown_tid;	/* tid; or what it is in its own pid namespace, if that is to be */
	bool is_tid_unsure;	/* … shown, but not known: shown_tid is tid */
	char comm[FARGS_COMM_LEN + 1];	/* as the kernel has it: not escaped */
	unsigned int context;	/* enum fargs_context */
	unsigned int preempt_depth;
	uint64_t ip;
	uint64_t parent_ip;
	const struct fargs_func *func;	/* NULL: none of the traced ones */
	uint32_t bytes;		/* of its record */
	pid_t new_tid;		/* FARGS_KIND_TASK: of the task that was forked; 0: none was */
	pid_t old_tid;		/* FARGS_KIND_TASK: of the thread that execs, before; 0: none did */
	const struct fargs_record *change;	/* FARGS_KIND_TASK: for decode/tasks.h */
	pid_t next_tid;		/* FARGS_KIND_SWITCH: of the task that runs next */
	uint64_t lost;		/* FARGS_KIND_LOST: sequence numbers, or events, dropped before */
	const struct fargs_record *formatted;	/* FARGS_KIND_EVENT: for decode/formats.h */
	const struct fargs_ksyms *guest;	/* of the guest that its process runs, or NULL */
	/* Parameters in their order, each with what was fetched from it behind it. */
	const struct fargs_arg *args;
	unsigned int nr_args;
	bool is_variadic;	/* more arguments may follow, that nothing describes */
	const void *stack;	/* return addresses, not aligned, from the caller on */
	unsigned int nr_stack;
	/* FARGS_KIND_RETURN: */
	const struct fargs_arg *ret;	/* NULL: it returns nothing, or that was not asked */
	const struct fargs_arg *out;	/* what was fetched at the return */
	unsigned int nr_out;
	bool has_entry;		/* entry_tsc is known */
	uint64_t entry_tsc;	/* of the call */
	bool has_duration;
	uint64_t duration_ns;
};

#endif
