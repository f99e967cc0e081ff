// SPDX-License-Identifier: GPL-2.0-only
/*
 * BPF programs, written as instructions because a compiler for BPF may not be installed. The
 * instructions are those that clang generates for equivalent programs in C.
 */
#include "bpf_prog.h"

#include "kmod/object.h"

#define INSN(op, dst, src, offset, value) \
	((struct bpf_insn){ .code = (op), .dst_reg = (dst), .src_reg = (src), \
			    .off = (offset), .imm = (value) })
#define MOV(dst, src)		INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define MOV_VALUE(dst, value)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define ADD_VALUE(dst, value)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value)
#define SUB(dst, src)		INSN(BPF_ALU64 | BPF_SUB | BPF_X, dst, src, 0, 0)
#define LOAD(dst, src, offset)	INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define STORE(dst, offset, src)	INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, offset, 0)
#define CALL(helper)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define EXIT()			INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Registers that are preserved across calls of helpers. */
#define CONTEXT		BPF_REG_6
#define EVENT		BPF_REG_7
#define START		BPF_REG_8

/* Offsets on the program's stack. */
#define KEY		(-8)
#define VALUE		(-16)

static void emit(struct bpf_code *code, struct bpf_insn insn)
{
	code->insns[code->nr++] = insn;
}

static void emit_jump_to_end(struct bpf_code *code, uint8_t op, uint8_t reg, int32_t value)
{
	code->jumps[code->nr_jumps++] = code->nr;
	emit(code, INSN(BPF_JMP | op | BPF_K, reg, 0, 0, value));
}

static void emit_end(struct bpf_code *code)
{
	size_t i;

	for (i = 0; i < code->nr_jumps; i++)
		code->insns[code->jumps[i]].off = code->nr - code->jumps[i] - 1;
	emit(code, MOV_VALUE(BPF_REG_0, 0));
	emit(code, EXIT());
}

static void emit_map(struct bpf_code *code, uint8_t reg, int fd)
{
	emit(code, INSN(BPF_LD | BPF_DW | BPF_IMM, reg, BPF_PSEUDO_MAP_FD, 0, fd));
	emit(code, INSN(0, 0, 0, 0, 0));
}

static void emit_stack_address(struct bpf_code *code, uint8_t reg, int32_t offset)
{
	emit(code, MOV(reg, BPF_REG_10));
	emit(code, ADD_VALUE(reg, offset));
}

static void emit_event_address(struct bpf_code *code, uint8_t reg, int32_t offset)
{
	emit(code, MOV(reg, EVENT));
	emit(code, ADD_VALUE(reg, offset));
}

/* Gets this task's value in the task storage. @flags: whether to create the value. */
static void emit_task_storage(struct bpf_code *code, int map_fd, int32_t flags)
{
	emit(code, CALL(BPF_FUNC_get_current_task_btf));
	emit_map(code, BPF_REG_1, map_fd);
	emit(code, MOV(BPF_REG_2, BPF_REG_0));
	emit(code, MOV_VALUE(BPF_REG_3, 0));
	emit(code, MOV_VALUE(BPF_REG_4, flags));
	emit(code, CALL(BPF_FUNC_task_storage_get));
	emit_jump_to_end(code, BPF_JEQ, BPF_REG_0, 0);
}

static void emit_key(struct bpf_code *code)
{
	emit(code, CALL(BPF_FUNC_get_current_pid_tgid));
	emit(code, STORE(BPF_REG_10, KEY, BPF_REG_0));
}

static void emit_of_key(struct bpf_code *code, int map_fd, int32_t helper)
{
	emit_map(code, BPF_REG_1, map_fd);
	emit_stack_address(code, BPF_REG_2, KEY);
	emit(code, CALL(helper));
}

void bpf_prog_make_start(struct bpf_code *code, enum what what, int map_fd)
{
	*code = (struct bpf_code){ };
	if (what == WHAT_DURATION) {
		emit_task_storage(code, map_fd, BPF_LOCAL_STORAGE_GET_F_CREATE);
		emit(code, MOV(START, BPF_REG_0));
		emit(code, CALL(BPF_FUNC_ktime_get_ns));
		emit(code, STORE(START, 0, BPF_REG_0));
	} else {
		emit_key(code);
		emit(code, CALL(BPF_FUNC_ktime_get_ns));
		emit(code, STORE(BPF_REG_10, VALUE, BPF_REG_0));
		emit_stack_address(code, BPF_REG_3, VALUE);
		emit(code, MOV_VALUE(BPF_REG_4, BPF_ANY));
		emit_of_key(code, map_fd, BPF_FUNC_map_update_elem);
	}
	emit_end(code);
}

static void emit_get_start(struct bpf_code *code, enum what what, int map_fd)
{
	if (what == WHAT_DURATION) {
		emit_task_storage(code, map_fd, 0);
	} else {
		emit_key(code);
		emit_of_key(code, map_fd, BPF_FUNC_map_lookup_elem);
		emit_jump_to_end(code, BPF_JEQ, BPF_REG_0, 0);
	}
	emit(code, LOAD(START, BPF_REG_0, 0));
}

static void emit_string(struct bpf_code *code)
{
	emit_event_address(code, BPF_REG_1, offsetof(struct event, string.text));
	emit(code, MOV_VALUE(BPF_REG_2, STRING_MAX));
	emit(code, LOAD(BPF_REG_3, CONTEXT, 8));
	emit(code, CALL(BPF_FUNC_probe_read_kernel_str));
	emit(code, STORE(EVENT, offsetof(struct event, string.len), BPF_REG_0));
}

static void emit_path(struct bpf_code *code)
{
	emit(code, LOAD(BPF_REG_1, CONTEXT, 0));
	emit(code, LOAD(BPF_REG_1, BPF_REG_1, offsetof(struct fargs_bench_obj, parent)));
	emit(code, LOAD(BPF_REG_1, BPF_REG_1, offsetof(struct fargs_bench_parent, owner)));
	emit(code, LOAD(BPF_REG_1, BPF_REG_1, offsetof(struct fargs_bench_owner, id)));
	emit(code, STORE(EVENT, offsetof(struct event, path), BPF_REG_1));
}

/* Reads 8 bytes at @offset from the address in r3, to the address in r1. */
static void emit_read(struct bpf_code *code, int32_t offset)
{
	emit(code, MOV_VALUE(BPF_REG_2, 8));
	emit(code, ADD_VALUE(BPF_REG_3, offset));
	emit(code, CALL(BPF_FUNC_probe_read_kernel));
}

static void emit_path_read(struct bpf_code *code)
{
	emit(code, LOAD(BPF_REG_3, CONTEXT, 0));
	emit_stack_address(code, BPF_REG_1, VALUE);
	emit_read(code, offsetof(struct fargs_bench_obj, parent));
	emit(code, LOAD(BPF_REG_3, BPF_REG_10, VALUE));
	emit_stack_address(code, BPF_REG_1, VALUE);
	emit_read(code, offsetof(struct fargs_bench_parent, owner));
	emit(code, LOAD(BPF_REG_3, BPF_REG_10, VALUE));
	emit_event_address(code, BPF_REG_1, offsetof(struct event, path));
	emit_read(code, offsetof(struct fargs_bench_owner, id));
}

static void emit_stack(struct bpf_code *code)
{
	emit(code, MOV(BPF_REG_1, CONTEXT));
	emit_event_address(code, BPF_REG_2, offsetof(struct event, stack.addrs));
	emit(code, MOV_VALUE(BPF_REG_3, 8 * STACK_MAX));
	emit(code, MOV_VALUE(BPF_REG_4, 0));
	emit(code, CALL(BPF_FUNC_get_stack));
	emit(code, STORE(EVENT, offsetof(struct event, stack.bytes), BPF_REG_0));
}

/* The return value follows the arguments in the context. */
static void emit_return(struct bpf_code *code)
{
	emit(code, LOAD(BPF_REG_1, CONTEXT, 8 * NR_ARGS));
	emit(code, STORE(EVENT, offsetof(struct event, ret.value), BPF_REG_1));
}

static void emit_times(struct bpf_code *code, enum what what)
{
	emit(code, what == WHAT_UNTIMED ? MOV_VALUE(BPF_REG_0, 0) : CALL(BPF_FUNC_ktime_get_ns));
	emit(code, STORE(EVENT, offsetof(struct event, time), BPF_REG_0));
	if (what == WHAT_DURATION || what == WHAT_DURATION_HASH) {
		emit(code, SUB(BPF_REG_0, START));
		emit(code, STORE(EVENT, offsetof(struct event, ret.duration), BPF_REG_0));
	}
}

static void emit_event(struct bpf_code *code, enum what what)
{
	int i;

	emit_times(code, what);
	emit(code, CALL(BPF_FUNC_get_current_pid_tgid));
	emit(code, STORE(EVENT, offsetof(struct event, pid_tgid), BPF_REG_0));
	for (i = 0; i < NR_ARGS; i++) {
		emit(code, LOAD(BPF_REG_1, CONTEXT, 8 * i));
		emit(code, STORE(EVENT, offsetof(struct event, args) + 8 * i, BPF_REG_1));
	}
	if (what == WHAT_STRING)
		emit_string(code);
	else if (what == WHAT_PATH)
		emit_path(code);
	else if (what == WHAT_PATH_READ)
		emit_path_read(code);
	else if (what == WHAT_STACK)
		emit_stack(code);
	else if (what >= WHAT_EXIT)
		emit_return(code);
}

size_t what_bytes(enum what what)
{
	switch (what) {
	case WHAT_ENTRY:
	case WHAT_TRACEPOINT:
	case WHAT_UNTIMED:
	case WHAT_REJECT:
		return offsetof(struct event, path);
	case WHAT_STRING:
		return sizeof(struct event);
	case WHAT_PATH:
	case WHAT_PATH_READ:
		return offsetof(struct event, path) + sizeof(uint64_t);
	case WHAT_STACK:
		return offsetof(struct event, stack.addrs[STACK_MAX]);
	case WHAT_EXIT:
		return offsetof(struct event, ret.duration);
	default:
		return offsetof(struct event, ret.duration) + sizeof(uint64_t);
	}
}

void bpf_prog_make(struct bpf_code *code, enum what what, int ring_fd, int map_fd)
{
	*code = (struct bpf_code){ };
	emit(code, MOV(CONTEXT, BPF_REG_1));
	if (what == WHAT_REJECT) {
		emit(code, LOAD(BPF_REG_1, CONTEXT, 16));
		emit_jump_to_end(code, BPF_JLE, BPF_REG_1, BENCH_FLAGS);
	}
	if (what >= WHAT_DURATION)
		emit_get_start(code, what, map_fd);
	emit_map(code, BPF_REG_1, ring_fd);
	emit(code, MOV_VALUE(BPF_REG_2, what_bytes(what)));
	emit(code, MOV_VALUE(BPF_REG_3, 0));
	emit(code, CALL(BPF_FUNC_ringbuf_reserve));
	emit_jump_to_end(code, BPF_JEQ, BPF_REG_0, 0);
	emit(code, MOV(EVENT, BPF_REG_0));
	emit_event(code, what);
	emit(code, MOV(BPF_REG_1, EVENT));
	emit(code, MOV_VALUE(BPF_REG_2, 0));
	emit(code, CALL(BPF_FUNC_ringbuf_submit));
	if (what == WHAT_DURATION_HASH)
		emit_of_key(code, map_fd, BPF_FUNC_map_delete_elem);
	emit_end(code);
}
