/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A decoded record, in the form that all outputs and filters use. Its pointers are valid until the
 * same decoder decodes the next event.
 */
#ifndef FARGS_MODEL_EVENT_H
#define FARGS_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/formatted.h"
#include "model/record.h"
#include "uapi/fargs_record.h"

struct btf;
struct fargs_func;
struct fargs_naming;
struct fargs_ksyms;

/* Context of a call, corresponding to ftrace's latency columns. */
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

/* Properties of a value that its BTF type shows, but its record type (enum fargs_type) does not. */
enum fargs_shape {
	FARGS_SHAPE_PLAIN = 0,
	FARGS_SHAPE_ENUM,	/* base_id is a BTF_KIND_ENUM or ENUM64 */
	FARGS_SHAPE_FUNC,	/* base_id is a BTF_KIND_PTR to a function */
	FARGS_SHAPE_AGGREGATE,	/* base_id is a BTF_KIND_STRUCT, UNION or ARRAY */
};

/* One argument or fetched value. */
struct fargs_arg {
	struct fargs_value val;
	const struct btf *btf;	/* NULL: the type is unknown */
	uint32_t btf_id;	/* type of the value in @btf, as declared */
	uint32_t base_id;	/* type of the value in @btf without typedefs and qualifiers */
	/* How a number is shown; NULL: by its C type. Owned by the decoder. */
	const struct fargs_naming *naming;
	uint8_t shape;		/* enum fargs_shape */
	uint8_t bitfield_bits;	/* width of a bitfield that was fetched; 0: not one */
	bool is_fetched;	/* not a parameter: fetched by an expression, which is val.name */
	uint8_t format;		/* enum fargs_format: how to show a number; 0: by its type */
	bool is_range;		/* val is an array whose elements have type @btf_id (0: bytes) */
	unsigned int name_len;	/* show only this many bytes of val.name; 0: all of it */
};

/* Kinds of events that are not records of fargs. The values follow those of enum fargs_kind. */
enum fargs_event_kind {
	FARGS_EVENT_SAMPLE = 64,	/* a perf sample */
	FARGS_EVENT_BRANCH,		/* Intel PT: a branch */
	FARGS_EVENT_INSN,		/* Intel PT: an instruction */
	FARGS_EVENT_ERROR,		/* Intel PT: the trace does not show what was executed */
	FARGS_EVENT_PTWRITE,		/* Intel PT: a PTWRITE instruction wrote a value */
	FARGS_EVENT_POWER,		/* Intel PT: frequency (cbr), C-states */
	FARGS_EVENT_PSB,		/* Intel PT: a place where decoding can begin */
	FARGS_EVENT_TRANSACTION,	/* Intel PT: begin, commit or abort of a transaction */
	FARGS_EVENT_CFE,		/* Intel PT: a control flow event, such as an interrupt */
	FARGS_EVENT_IFLAG,		/* Intel PT: the interrupt flag changes */
};

/* Types of perf's events, in the order of perf_event.h as far as it has them. */
enum fargs_perf_event_type {
	FARGS_PERF_HW,
	FARGS_PERF_SW,
	FARGS_PERF_TRACEPOINT,
	FARGS_PERF_CACHE,
	FARGS_PERF_RAW,
	FARGS_PERF_BREAKPOINT,
	FARGS_PERF_SYNTH,		/* of Intel PT: neither branches nor instructions */
	FARGS_PERF_OTHER,		/* of another PMU */
	FARGS_PERF_TYPES
};

/*
 * Parts of samples, branches and instructions that cost time to find. A source finds those that
 * the sink needs.
 */
enum fargs_event_detail {
	FARGS_DETAIL_FILES = 1,		/* the files of places, also those of the kernel */
	FARGS_DETAIL_INSN = 2,
	FARGS_DETAIL_DISASM = 4,
	FARGS_DETAIL_LINE = 8,
	FARGS_DETAIL_IPC = 32,
	FARGS_DETAIL_DEPTH = 64,
	FARGS_DETAIL_ADDR = 128,	/* of instructions that branch: the target */
	FARGS_DETAIL_CODE = 256,	/* fargs_decoder_insn() */
	FARGS_DETAIL_SYMBOL = 512,	/* bounds and binding of symbols, and build IDs of files */
};

/* A code address, and the symbol, module and file that contain it. */
struct fargs_event_place {
	uint64_t addr;
	const char *symbol;	/* NULL: unknown */
	uint64_t offset;	/* offset of the address in the symbol */
	const char *module;	/* the kernel module; NULL: none */
	/* program or library, or "[kernel.kallsyms]"; NULL: a module, or unknown */
	const char *file;
	/* FARGS_DETAIL_FILES: address in the file, as objdump shows it; 0: unknown */
	uint64_t file_addr;
	uint64_t file_at;	/* likewise, the offset in the file */
	bool is_fixed;		/* likewise: the file is linked to the addresses where it is */
	/* FARGS_DETAIL_LINE: the place in the source; NULL: unknown */
	const char *source_file;
	unsigned int source_line;
	/*
	 * FARGS_DETAIL_SYMBOL: the first byte of the symbol and the one after it (0: unknown), as
	 * offsets in the file or, in the kernel, in @code_file, a copy of its code, or as addresses
	 * if that is NULL; its binding (STB_*); the build ID of the file or of the kernel.
	 */
	uint64_t symbol_start, symbol_end;
	const char *code_file;
	uint8_t symbol_binding;
	uint8_t build_id_bytes;		/* 0: unknown */
	const uint8_t *build_id;
};

/*
 * The parts of a sample, of a branch, of an instruction, or of what else Intel PT shows (from
 * FARGS_EVENT_PTWRITE on) that are not arguments. Strings are not escaped.
 */
struct fargs_event_sample {
	const char *event;	/* name of the event, with its modifiers */
	/* FARGS_EVENT_SAMPLE; FARGS_EVENT_INSN: instructions since the last one of its stream */
	uint64_t period;
	const char *flags;	/* kind of branch in perf's words, such as "call"; NULL: a sample */
	/* perf's letters: x in a transaction, D interrupts are off, t that changes; NULL: none */
	const char *marks;
	const char *synth;	/* from FARGS_EVENT_PTWRITE on: the values in perf's words */
	/* Values that are not shown otherwise: the last ones of the event's args. */
	unsigned int nr_values;
	bool has_place;		/* @place, where the sample was taken, is known */
	bool has_target;	/* @target, the destination of the branch, is known */
	struct fargs_event_place place, target;
	/* The following members are set if the sink needs them (enum fargs_event_detail). */
	uint8_t perf_type;	/* enum fargs_perf_event_type; always set, like @addr */
	uint64_t addr;		/* perf's addr, but not of branches; see FARGS_DETAIL_ADDR */
	uint64_t weight, transaction, data_src;		/* FARGS_EVENT_SAMPLE: as in perf */
	bool is_addr_code;	/* FARGS_EVENT_SAMPLE: @addr is an address of code */
	const uint8_t *insn;	/* FARGS_DETAIL_INSN: the instruction at @place; NULL: unknown */
	uint8_t insn_bytes;	/* its size */
	const char *disasm;	/* FARGS_DETAIL_DISASM: the same as text; NULL: unknown */
	/* FARGS_DETAIL_IPC: since the last event of this name with them; 0: no cycles are known */
	uint64_t nr_insns, nr_cycles;
	unsigned int depth;	/* FARGS_DETAIL_DEPTH: number of callers, as perf indents calls */
	/*
	 * FARGS_DETAIL_IPC: the piece of the trace without gaps that shows the event; 0: unknown.
	 * Calls of other pieces may have returned.
	 */
	uint64_t piece;
};

/* One of the last branches before an event. An address is 0 where the trace begins or ends. */
struct fargs_last_branch {
	uint64_t from, to;
	bool is_in_tx;		/* in a transaction */
	bool aborts;		/* aborts a transaction */
	/* Only of the CPU's last branch records; neither: unknown. */
	bool is_predicted, is_mispredicted;
	uint16_t cycles;	/* likewise, since the branch before; 0: unknown */
};

/* An instruction that the traced machine may have executed. */
struct fargs_event_insn {
	const uint8_t *code;
	uint8_t size;		/* in bytes; 0: it cannot be decoded */
	bool is_branch;
};

/* An error of an Intel PT trace. */
struct fargs_event_error {
	const char *text;
	unsigned int code;	/* perf's number of the kind of error; 0: none */
	uint64_t offset;	/* offset in the trace of the CPU or thread, in bytes */
	bool has_count;
	uint64_t count;		/* number shown after @text */
	const char *unit;	/* text shown after @count */
};

/* A task with its name, which may be unknown (NULL). */
struct fargs_event_task {
	pid_t tid, tgid;
	const char *comm;
	uint64_t named_ns;		/* as in struct fargs_event */
	bool is_named_by_exec;
};

/* What perf records of a switch, once for the task that stops and once for the one that runs. */
struct fargs_event_switch {
	struct fargs_event_task own;	/* the event's task */
	struct fargs_event_task other;	/* the task before or after it; tid -1: unknown */
	bool is_out;			/* the event's task stops */
	bool is_preempted;		/* and could go on */
};

/* Data of a call, return or tracepoint in an Intel PT trace. */
struct fargs_event_trace {
	const char *word;	/* kind of event in perf's words: "call", "jmp", "hw int" etc. */
	uint32_t depth;		/* nesting depth: number of callers shown */
	uint64_t addr;		/* address at which the function was entered */
	/*
	 * Numbers of calls, which are unique in the trace; 0: none, or unknown. Set only for sinks
	 * that need callers.
	 */
	uint64_t call;		/* the call that this event is about */
	uint64_t parent;	/* the call in which @call was made; it may not be shown */
	uint64_t replaced;	/* the call of the function that entered this one by a jump */
	bool is_joined;		/* the event's values are from a record that was joined to it */
	bool has_returns;	/* returns are separate events */
	/* Returns only: the duration is at least @least_ns and at most @most_ns. */
	bool has_bounds;
	uint64_t least_ns, most_ns;
};

struct fargs_event {
	uint8_t kind;		/* enum fargs_kind or enum fargs_event_kind */
	bool is_event;		/* the record is from the event stream (model/event_record.h) */
	bool is_trigger;	/* ENTRY and RETURN records: the call was a trigger */
	bool is_pair;		/* ENTRY and RETURN: the call's entry and return are two events */
	bool has_no_seq;	/* there is no record, and so no @seq */
	bool has_no_context;	/* @context and @preempt_depth are unknown */
	bool has_no_cpu;	/* the CPU is unknown, and @cpu is 0 */
	bool has_no_time;	/* the time is unknown, and @time_ns is 0 */
	unsigned int cpu;
	uint64_t time_ns;	/* perf clock; Intel PT: last time in the trace before the event */
	/* Intel PT: estimated time, which increases from event to event of a CPU; 0: none. */
	uint64_t estimated_ns;
	uint64_t tsc;
	uint64_t seq;
	pid_t tid;		/* 0: the idle task */
	pid_t tgid;		/* -1: unknown */
	/* Id for output: @tid, or the id in the task's own pid namespace. */
	pid_t shown_tid;
	/* The task's id in its own pid namespace is unknown, so @shown_tid is @tid. */
	bool is_tid_unsure;
	char comm[FARGS_COMM_LEN + 1];	/* as in the kernel: not escaped */
	/* Only of perf.data: since when the task has its name; 0: unknown, or not recorded. */
	uint64_t named_ns;
	bool is_named_by_exec;
	unsigned int context;	/* combined values of enum fargs_context */
	unsigned int preempt_depth;
	uint64_t ip;
	uint64_t parent_ip;
	const struct fargs_func *func;	/* NULL: not a traced function */
	uint32_t bytes;		/* size of the record */
	pid_t new_tid;		/* FARGS_KIND_TASK: tid of the forked task; 0: not a fork */
	pid_t old_tid;		/* FARGS_KIND_TASK: tid of the task before exec; 0: not an exec */
	const struct fargs_record *change;	/* FARGS_KIND_TASK: the record, for model/tasks.h */
	pid_t next_tid;		/* FARGS_KIND_SWITCH: tid of the task that runs next */
	const struct fargs_event_switch *sw;	/* FARGS_KIND_SWITCH: of perf; NULL: of fargs */
	uint64_t lost;		/* FARGS_KIND_LOST: records or events lost before this record */
	/* FARGS_EVENT_SAMPLE, BRANCH, INSN, and from PTWRITE on. The values are also in @args. */
	const struct fargs_event_sample *sample;
	const struct fargs_event_error *error;	/* FARGS_EVENT_ERROR */
	/* ENTRY, RETURN and TPOINT from an Intel PT trace; NULL: not from such a trace */
	const struct fargs_event_trace *trace;
	struct fargs_formatted formatted;	/* FARGS_KIND_EVENT, for model/formats.h */
	/* Symbols of the KVM guest of the task's process; NULL: none. */
	const struct fargs_ksyms *guest;
	/*
	 * Parameters in order, each followed by the values fetched from it; then other fetched
	 * values.
	 */
	const struct fargs_arg *args;
	unsigned int nr_args;
	/* Variadic function: arguments may follow that BTF does not describe. */
	bool is_variadic;
	const void *stack;	/* return addresses, innermost caller first; may be unaligned */
	unsigned int nr_stack;
	bool has_chain;		/* of a sample or Intel PT: a call chain, even without callers */
	bool shows_stack;	/* FARGS_EVENT_SAMPLE: a line of text is followed by @stack */
	const struct fargs_last_branch *last_branches;	/* newest first */
	unsigned int nr_last_branches;
	bool is_guest;		/* of Intel PT: it occurred in a virtual machine */
	/* The hypervisor's pid and the virtual CPU, if the task is one of a guest; 0: it is not. */
	int32_t machine_pid;
	uint32_t vcpu;
	int32_t host_tid;	/* of Intel PT: the host's task, which may be that virtual CPU */
	bool is_mispredicted;	/* the CPU mispredicted each of @last_branches */
	/* The following members are set only for FARGS_KIND_RETURN. */
	/* Returned value; NULL: the function is void, or its result was not requested. */
	const struct fargs_arg *ret;
	const struct fargs_arg *out;	/* values fetched at the return */
	unsigned int nr_out;
	bool has_entry;		/* @entry_tsc is known */
	uint64_t entry_tsc;	/* TSC at the call */
	bool has_duration;
	uint64_t duration_ns;
};

#endif
