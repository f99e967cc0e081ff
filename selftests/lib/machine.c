// SPDX-License-Identifier: GPL-2.0-only
#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* The module's headers. */
#include "../../kmod/prog/env.h"
#include "../../kmod/prog/mem.h"
#include "../../kmod/prog/chain.h"
#include "../../kmod/prog/regcond.h"
#include "../../kmod/prog/template.h"

/* The machine whose programs are running. */
static const struct machine *now;

static bool read_byte(uint64_t addr, enum fargs_space space, uint8_t *byte)
{
	unsigned int i;

	for (i = 0; i < now->nr_memory; i++) {
		const struct machine_memory *memory = &now->memory[i];

		if (addr < memory->addr || addr - memory->addr >= memory->len)
			continue;
		if (space == (memory->is_user ? FARGS_SPACE_KERNEL : FARGS_SPACE_USER))
			return false;
		*byte = ((const uint8_t *)memory->bytes)[addr - memory->addr];
		return true;
	}
	return false;
}

bool fargs_mem_copy(u8 *to, u64 addr, u32 bytes, enum fargs_space space)
{
	u32 i;

	for (i = 0; i < bytes; i++)
		if (!read_byte(addr + i, space, &to[i]))
			return false;
	return true;
}

struct fargs_mem_value fargs_mem_load(u64 addr, u32 bytes, enum fargs_space space)
{
	struct fargs_mem_value v = { 0 };

	v.is_read = fargs_mem_copy((u8 *)&v.value, addr, bytes, space);
	return v;
}

s32 fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space)
{
	u8 next;
	u32 i;

	for (i = 0; i < max; i++) {
		if (!read_byte(addr + i, space, &to[i]))
			return -1;
		if (!to[i])
			return i;
	}
	return !read_byte(addr + max, space, &next) || next ? max | FARGS_MEM_CUT : max;
}

s32 fargs_mem_copy_str_anywhere(u8 *to, u64 addr, u32 max, enum fargs_space space)
{
	return fargs_mem_copy_str(to, addr, max, space);
}

/*
 * Called for memory that the module's code reads inline. None of the simulated memory can be read
 * in this way.
 */
bool made_up_read(void *to, unsigned long addr, size_t bytes)
{
	(void)to;
	(void)addr;
	(void)bytes;
	return false;
}

u32 fargs_env_arg_offset(u32 arg, bool is_return)
{
	(void)is_return;
	return arg * sizeof(uint64_t);
}

bool fargs_env_slot(const struct fargs_call *call, u32 slot, u64 *value)
{
	*value = now->slots[slot];
	if (*value != ~0ull)
		return true;
	*value = call->sp + 8 + 8 * (u64)slot;
	return false;
}

u64 fargs_env_ctx(const struct fargs_call *call, u32 ctx)
{
	(void)call;
	return now->ctx[ctx];
}

u32 fargs_env_stack(const struct fargs_call *call, u8 *to, u32 max)
{
	u32 nr = now->nr_stack < max ? now->nr_stack : max;

	(void)call;
	memcpy(to, now->stack, nr * sizeof(now->stack[0]));
	return nr;
}

/* A body and the programs that fill it and append to it. */
struct target {
	const struct fargs_program *predicate, *fetch;
	const struct fargs_program *scope;	/* NULL: none */
	const struct fargs_program *trigger;
	const void *body;
	uint32_t body_len;
	uint32_t values_len;
	uint32_t room;
};

/*
 * Returns whether chains, the module's second implementation of fetches, produce exactly the same
 * bytes as the interpreter.
 */
static bool is_same_by_chains(const struct target *target, const struct fargs_call *call,
			      const struct machine_result *result)
{
	uint8_t *body = malloc(target->room), *end;
	bool is_same;

	if (!body)
		return false;
	memset(body, 0xee, target->room);
	memcpy(body, target->body, target->body_len);
	end = fargs_chains_fetch(target->fetch, call->regs, body, body + target->values_len);
	end[0] = 0;
	end[1] = FARGS_TYPE_END;
	is_same = end + 2 - body == result->body_len && !memcmp(body, result->body, end + 2 - body);
	free(body);
	return is_same;
}

/*
 * Runs the fetch program on a copy of the body. The copy has the exact size, so that a sanitizer
 * detects accesses outside it.
 */
static bool fetch(const struct target *target, const struct fargs_call *call,
		  struct machine_result *result)
{
	uint32_t at = target->values_len;
	uint8_t *body = malloc(target->room);

	if (!body)
		return false;
	memset(body, 0xee, target->room);
	memcpy(body, target->body, target->body_len);
	if (target->fetch->nr)
		at = fargs_prog_fetch(target->fetch, call, body, at);
	body[at] = 0;
	body[at + 1] = FARGS_TYPE_END;
	result->body_len = at + 2;
	memcpy(result->body, body, result->body_len);
	free(body);
	if (target->fetch->nr && target->fetch->is_chains &&
	    !is_same_by_chains(target, call, result))
		abort();
	return true;
}

static bool run(const struct machine *machine, const struct target *target,
		const struct fargs_call *call, struct machine_result *result)
{
	now = machine;
	*result = (struct machine_result){
		.is_accepted = true, .is_scope = true, .is_trigger = true,
	};
	if (target->trigger->nr)
		result->is_trigger = fargs_prog_decide(target->trigger, call).is_accepted;
	if (target->scope && target->scope->nr)
		result->is_scope = fargs_prog_decide(target->scope, call).is_accepted;
	if (target->predicate->nr) {
		struct fargs_verdict verdict = fargs_prog_decide(target->predicate, call);

		result->is_accepted = verdict.is_accepted;
		result->is_unreadable = verdict.is_unreadable;
		/* The module's two implementations of predicates must agree. */
		if (target->predicate->nr_regconds &&
		    fargs_regconds_hold(target->predicate->regconds, machine->args) !=
		    verdict.is_accepted)
			abort();
	}
	return !result->is_accepted || fetch(target, call, result);
}

bool machine_run(const struct machine *machine, const void *data, struct machine_result *result)
{
	const struct fargs_call call = { .regs = machine->args, .sp = MACHINE_SP - 8 };
	void *memory = calloc(1, fargs_template_size(data));
	const struct fargs_programs *programs;
	const struct fargs_template *t;
	struct target target;
	bool is_done;

	if (!memory)
		return false;
	t = fargs_template_make(data, NULL, memory);
	programs = fargs_template_programs(t);
	target = (struct target){
		.predicate = &programs->prog[FARGS_PROG_ENTRY_PREDICATE],
		.scope = &programs->prog[FARGS_PROG_SCOPE],
		.trigger = &programs->prog[FARGS_PROG_TRIGGER],
		.fetch = &programs->prog[FARGS_PROG_ENTRY_FETCH],
		.body = t->body, .body_len = t->body_len, .values_len = programs->values_len,
		.room = t->len - sizeof(struct fargs_record),
	};
	is_done = run(machine, &target, &call, result);
	free(memory);
	return is_done;
}

bool machine_run_return(const struct machine *machine, const void *data,
			struct machine_result *result)
{
	const struct fargs_call call = {
		.regs = machine->args, .return_value = machine->ctx[FARGS_CTX_RETURN],
		.return_high = machine->ctx[FARGS_CTX_RETURN_HIGH],
		.duration_tsc = machine->ctx[FARGS_CTX_DURATION],
	};
	void *memory = calloc(1, fargs_template_size(data));
	const struct fargs_programs *programs;
	struct target target;
	uint32_t least;
	bool is_done;

	if (!memory)
		return false;
	programs = fargs_template_programs(fargs_template_make(data, NULL, memory));
	least = programs->return_values_len + programs->return_append_max + 2;
	target = (struct target){
		.predicate = &programs->prog[FARGS_PROG_RETURN_PREDICATE],
		.trigger = &programs->prog[FARGS_PROG_RETURN_TRIGGER],
		.fetch = &programs->prog[FARGS_PROG_RETURN_FETCH],
		.body = programs->return_body, .body_len = programs->return_body_len,
		.values_len = programs->return_values_len,
		.room = least > programs->return_body_len ? least : programs->return_body_len,
	};
	is_done = run(machine, &target, &call, result);
	free(memory);
	return is_done;
}
