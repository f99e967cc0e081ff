// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/compile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/signature.h"
#include "select/codegen/bind.h"
#include "select/codegen/body.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

_Static_assert(sizeof(struct fargs_layout) == 64, "layouts are an ABI");
_Static_assert(sizeof(struct fargs_store) == 8, "layouts are an ABI");
_Static_assert(sizeof(struct fargs_insn) == 16, "layouts are an ABI");

/*
 * Maximum number of stores: at the call, FARGS_STORES_MAX for registers and stack slots; at the
 * return, one for the time of the call and two for the result.
 */
#define STORES_MAX	(FARGS_STORES_MAX + 3)

/* A layout under construction. */
struct draft {
	const struct fargs_signature *func;
	struct fargs_store stores[STORES_MAX];
	unsigned int nr_stores;
	struct fargs_body body;
	struct fargs_body return_body;
};

static void add_stores(struct draft *draft, int offset, uint8_t source, unsigned int index,
		       unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		draft->stores[draft->nr_stores++] = (struct fargs_store) {
			.offset = offset + 8 * i, .source = source, .index = index + i,
		};
}

/* Adds name, type and zeroed data of a parameter, and the stores that will fill in its data. */
static bool append_param(struct draft *draft, size_t index)
{
	const struct fargs_param *param = &draft->func->params[index];
	const struct fargs_place *place = &draft->func->places[index];
	char unnamed[FARGS_SIGNATURE_UNNAMED];
	const char *name = fargs_signature_param_name(draft->func, index, unnamed);
	int offset;

	/* A parameter that is an empty struct is not passed and has no value. */
	if (!place->nr)
		return true;
	offset = fargs_body_add(&draft->body, name, param->type, param->bytes);
	if (offset < 0 || draft->nr_stores + place->nr > FARGS_STORES_MAX)
		return false;
	add_stores(draft, offset, place->source, place->index, place->nr);
	return true;
}

/*
 * Adds the time of the call, and the result. The result is omitted if BTF does not describe it, or
 * if it is not returned in rax and rdx: a result in memory is fetched by a program instead.
 */
static bool append_return(struct draft *draft)
{
	const struct fargs_signature *func = draft->func;
	struct fargs_param param;
	int offset = fargs_body_add(&draft->return_body, FARGS_NAME_ENTRY, FARGS_TYPE_U64, 8);

	if (offset < 0)
		return false;
	add_stores(draft, offset, FARGS_SOURCE_ENTRY_TSC, 0, 1);
	if (!fargs_param_strip(func->btf, func->ret_id) || func->is_ret_in_memory ||
	    fargs_param_init(&param, func->btf, NULL, func->ret_id) || !param.bytes)
		return true;
	offset = fargs_body_add(&draft->return_body, FARGS_NAME_RETURN, param.type, param.bytes);
	if (offset < 0)
		return false;
	add_stores(draft, offset, FARGS_SOURCE_RETURN, 0, (param.bytes + 7) / 8);
	return true;
}

/*
 * Adds the value FARGS_NAME_ORDER, but only if a value of the body was requested after an appended
 * value.
 */
static bool append_order(struct fargs_body *body, const struct fargs_bound_order *order)
{
	int offset;

	if (!order->nr || order->before[0] == order->nr_fixed)
		return true;
	offset = fargs_body_add(body, FARGS_NAME_ORDER, FARGS_TYPE_BYTES, order->nr);
	if (offset < 0)
		return false;
	memcpy(body->data + offset, order->before, order->nr);
	return true;
}

/* Adds the values that programs store, and sets the offsets in their instructions. */
static bool append_bound(struct draft *draft, struct fargs_bound *bound)
{
	size_t i;

	if (!append_order(&draft->body, &bound->orders[0]) ||
	    !append_order(&draft->return_body, &bound->orders[1]))
		return false;
	for (i = 0; i < bound->nr_values; i++) {
		const struct fargs_bound_value *value = &bound->values[i];
		bool is_return = value->program == FARGS_PROG_RETURN_FETCH;
		int offset = fargs_body_add(is_return ? &draft->return_body : &draft->body,
					    value->name, value->type, value->bytes);

		if (offset < 0)
			return false;
		bound->programs[value->program].insns[value->insn].off = offset;
	}
	return true;
}

static enum fargs_refusal draft_init(struct draft *draft, const struct fargs_signature *func,
				     struct fargs_bound *bound)
{
	size_t i;

	draft->func = func;
	draft->nr_stores = 0;
	draft->body.len = 0;
	draft->return_body.len = 0;
	for (i = 0; !(bound && bound->is_silent) && i < func->nr_params; i++)
		if (!append_param(draft, i))
			return FARGS_REFUSAL_TOO_LONG;
	if (bound && bound->has_return && !append_return(draft))
		return FARGS_REFUSAL_TOO_LONG;
	if ((bound && !append_bound(draft, bound)) || !fargs_body_end(&draft->body) ||
	    (draft->return_body.len && !fargs_body_end(&draft->return_body)))
		return FARGS_REFUSAL_TOO_LONG;
	/* Both bodies include a terminator. A record has only one, but the module counts both. */
	if (draft->body.len + draft->return_body.len +
	    (bound ? bound->append_max + bound->return_append_max : 0) >
	    (bound ? bound->record_cap - sizeof(struct fargs_record) : FARGS_BODY_MAX))
		return FARGS_REFUSAL_TOO_LONG;
	return FARGS_REFUSAL_NONE;
}

static bool make_room(struct fargs_layouts *layouts, size_t need)
{
	size_t room = layouts->room ? layouts->room : 4096;
	unsigned char *larger;

	while (room - layouts->bytes < need)
		room *= 2;
	if (room == layouts->room)
		return true;
	larger = realloc(layouts->data, room);
	if (!larger)
		return false;
	layouts->data = larger;
	layouts->room = room;
	return true;
}

/* Returns the length of the constants, rounded up to a multiple of 8; the padding is zero. */
static size_t const_len(const struct fargs_bound *bound)
{
	return (bound->pool.len + 7) & -8u;
}

static void fill_head(struct fargs_layout *head, const struct draft *draft,
		      const struct fargs_bound *bound)
{
	size_t i, nr_insns = 0;

	head->body_len = draft->body.len;
	head->nr_stores = draft->nr_stores;
	if (bound) {
		for (i = 0; i < FARGS_PROGS; i++) {
			head->nr_insns[i] = bound->programs[i].nr;
			nr_insns += head->nr_insns[i];
		}
		head->flags = (bound->has_return ? FARGS_LAYOUT_RETURN : 0) |
			      (bound->is_graph ? FARGS_LAYOUT_GRAPH : 0) |
			      (bound->has_scope ? FARGS_LAYOUT_SCOPE : 0) |
			      (bound->is_silent ? FARGS_LAYOUT_SILENT : 0) |
			      (bound->has_trigger ? FARGS_LAYOUT_TRIGGER : 0);
		head->append_max = bound->append_max;
		head->return_append_max = bound->return_append_max;
		head->return_body_len = draft->return_body.len;
		head->const_len = const_len(bound);
	}
	head->size = sizeof(*head) + head->nr_stores * sizeof(draft->stores[0]) +
		     nr_insns * sizeof(struct fargs_insn) + head->body_len +
		     head->return_body_len + head->const_len;
}

static unsigned char *put(unsigned char *p, const void *data, size_t bytes)
{
	memcpy(p, data, bytes);
	return p + bytes;
}

static int append_layout(struct fargs_layouts *layouts, const struct draft *draft,
			 const struct fargs_bound *bound, uint64_t addr)
{
	struct fargs_layout head = { .addr = addr };
	unsigned char *p;
	size_t i;

	fill_head(&head, draft, bound);
	if (!make_room(layouts, head.size))
		return -ENOMEM;
	p = put(layouts->data + layouts->bytes, &head, sizeof(head));
	p = put(p, draft->stores, draft->nr_stores * sizeof(draft->stores[0]));
	for (i = 0; bound && i < FARGS_PROGS; i++)
		p = put(p, bound->programs[i].insns,
			bound->programs[i].nr * sizeof(struct fargs_insn));
	p = put(p, draft->body.data, draft->body.len);
	p = put(p, draft->return_body.data, draft->return_body.len);
	if (bound)
		put(p, bound->pool.data, const_len(bound));
	layouts->bytes += head.size;
	layouts->nr++;
	return 0;
}

int fargs_layout_compile_bound(struct fargs_layouts *layouts, const struct fargs_signature *func,
			       struct fargs_bound *bound, uint64_t addr, enum fargs_refusal *why)
{
	struct draft draft;

	*why = draft_init(&draft, func, bound);
	return *why ? 0 : append_layout(layouts, &draft, bound, addr);
}

int fargs_layout_compile(struct fargs_layouts *layouts, const struct btf *btf, uint32_t func_id,
			 uint64_t addr, enum fargs_refusal *why)
{
	struct fargs_signature func;

	*why = fargs_signature_init(&func, btf, func_id);
	return *why ? 0 : fargs_layout_compile_bound(layouts, &func, NULL, addr, why);
}

void fargs_layouts_deinit(struct fargs_layouts *layouts)
{
	free(layouts->data);
	memset(layouts, 0, sizeof(*layouts));
}
