// SPDX-License-Identifier: GPL-2.0-only
#include "machine.h"

#include <stdlib.h>
#include <string.h>

/* The module's headers. */
#include "../../kmod/prog_env.h"
#include "../../kmod/prog_mem.h"
#include "../../kmod/template.h"

/* While machine_run() runs. */
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

bool fargs_mem_load(u64 *value, u64 addr, u32 bytes, enum fargs_space space)
{
	*value = 0;
	return fargs_mem_copy((u8 *)value, addr, bytes, space);
}

s32 fargs_mem_copy_str(u8 *to, u64 addr, u32 max, enum fargs_space space, bool *is_cut)
{
	u8 next;
	u32 i;

	*is_cut = false;
	for (i = 0; i < max; i++) {
		if (!read_byte(addr + i, space, &to[i]))
			return -1;
		if (!to[i])
			return i;
	}
	*is_cut = !read_byte(addr + max, space, &next) || next;
	return max;
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

/* In memory of its exact size, so that a sanitizer sees any step out of it. */
static bool fetch(const struct fargs_template *t, const struct fargs_call *call,
		  struct machine_result *result)
{
	const struct fargs_programs *programs = fargs_template_programs(t);
	uint32_t room = t->len - sizeof(struct fargs_record), at = programs->values_len;
	uint8_t *body = malloc(room);

	if (!body)
		return false;
	memset(body, 0xee, room);
	memcpy(body, t->body, t->body_len);
	if (programs->prog[FARGS_PROG_ENTRY_FETCH].nr)
		at = fargs_prog_fetch(&programs->prog[FARGS_PROG_ENTRY_FETCH], call, body, at);
	body[at] = 0;
	body[at + 1] = FARGS_TYPE_END;
	result->body_len = at + 2;
	memcpy(result->body, body, result->body_len);
	free(body);
	return true;
}

bool machine_run(const struct machine *machine, const void *data, struct machine_result *result)
{
	struct fargs_call call = { .regs = machine->args, .sp = MACHINE_SP - 8 };
	void *memory = calloc(1, fargs_template_size(data));
	const struct fargs_program *predicate;
	const struct fargs_template *t;
	bool is_done = false;

	if (!memory)
		return false;
	now = machine;
	*result = (struct machine_result){ .is_accepted = true };
	t = fargs_template_make(data, memory);
	predicate = &fargs_template_programs(t)->prog[FARGS_PROG_ENTRY_PREDICATE];
	if (predicate->nr) {
		struct fargs_verdict verdict = fargs_prog_decide(predicate, &call);

		result->is_accepted = verdict.is_accepted;
		result->is_unreadable = verdict.is_unreadable;
	}
	is_done = !result->is_accepted || fetch(t, &call, result);
	free(memory);
	return is_done;
}
