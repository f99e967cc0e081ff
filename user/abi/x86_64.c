// SPDX-License-Identifier: GPL-2.0-only
#include "abi/x86_64.h"

#include <stdbool.h>

#include "abi/classify.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_record.h"

#define SLOT_BYTES	8

/* Indexes of the next free register and the next free stack slot. */
struct cursor {
	unsigned int reg;
	unsigned int slot;
};

static uint32_t slots_of(uint32_t bytes)
{
	return bytes / SLOT_BYTES + !!(bytes % SLOT_BYTES);
}

/*
 * Places an argument in registers if enough are free for all of it; an argument is never split.
 * Otherwise, the free registers remain for later arguments.
 */
static bool take_regs(struct cursor *free, struct fargs_place *place, uint32_t nr)
{
	if (nr > FARGS_REGS - free->reg)
		return false;
	*place = (struct fargs_place) {
		.source = FARGS_SOURCE_REG,
		.index = free->reg,
		.nr = nr,
	};
	free->reg += nr;
	return true;
}

/*
 * Places an argument on the stack. Its alignment is a power of two from @align to @align_max bytes;
 * BTF does not contain the actual alignment. Returns FARGS_REFUSAL_ALIGNMENT if the place depends
 * on the actual alignment.
 */
static enum fargs_refusal take_slots(struct cursor *free, struct fargs_place *place,
				     uint32_t bytes, uint32_t align, uint32_t align_max)
{
	uint32_t nr = slots_of(bytes);

	free->slot = (free->slot + align / SLOT_BYTES - 1) & -(align / SLOT_BYTES);
	if (free->slot % (align_max / SLOT_BYTES))
		return FARGS_REFUSAL_ALIGNMENT;
	if (free->slot > FARGS_STACK_SLOTS || nr > FARGS_STACK_SLOTS - free->slot)
		return FARGS_REFUSAL_MANY;
	*place = (struct fargs_place) {
		.source = FARGS_SOURCE_STACK,
		.index = free->slot,
		.nr = nr,
	};
	free->slot += nr;
	return FARGS_REFUSAL_NONE;
}

static enum fargs_refusal place_aggregate(struct cursor *free, struct fargs_place *place,
					  const struct btf *btf, uint32_t type_id)
{
	struct fargs_value_class pass;
	enum fargs_refusal why;

	why = fargs_classify_value(&pass, btf, type_id);
	if (why)
		return why;
	if (pass.way == FARGS_CLASS_NOTHING) {
		*place = (struct fargs_place) { };
		return FARGS_REFUSAL_NONE;
	}
	if (pass.way == FARGS_CLASS_REGISTERS && take_regs(free, place, slots_of(pass.bytes)))
		return FARGS_REFUSAL_NONE;
	return take_slots(free, place, pass.bytes, pass.align, pass.align_max);
}

/* Marks rdi as used if the result is returned in memory: rdi then contains the result's address. */
static enum fargs_refusal place_return(struct cursor *free, const struct btf *btf,
				       uint32_t type_id)
{
	uint32_t id = fargs_param_strip(btf, type_id);
	enum fargs_refusal why;
	bool in_memory;

	why = fargs_classify_returned(&in_memory, btf, id);
	if (!why && in_memory)
		free->reg++;
	return why;
}

enum fargs_refusal fargs_x86_64_place(struct fargs_place *places, const struct fargs_param *params,
				      size_t nr, const struct btf *btf, uint32_t ret_type_id)
{
	struct cursor free = { };
	enum fargs_refusal why;
	size_t i;

	why = place_return(&free, btf, ret_type_id);
	for (i = 0; i < nr && !why; i++) {
		uint32_t bytes = params[i].bytes;

		if (params[i].type == FARGS_TYPE_BYTES)
			why = place_aggregate(&free, &places[i], btf, params[i].base_id);
		else if (!take_regs(&free, &places[i], slots_of(bytes)))
			/*
			 * The alignment of a scalar is known: alignment attributes affect only
			 * structs and unions.
			 */
			why = take_slots(&free, &places[i], bytes, slots_of(bytes) * SLOT_BYTES,
					 SLOT_BYTES);
	}
	return why;
}
