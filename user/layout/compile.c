// SPDX-License-Identifier: GPL-2.0-only
#include "layout/compile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/param.h"
#include "layout/x86_64.h"
#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"
#include "uapi/fargs_record.h"

_Static_assert(sizeof(struct fargs_layout) == 64, "layouts are an ABI");
_Static_assert(sizeof(struct fargs_store) == 8, "layouts are an ABI");
_Static_assert(sizeof(struct fargs_insn) == 16, "layouts are an ABI");

#define BODY_MAX	(FARGS_RECORD_MAX - sizeof(struct fargs_record))

/* A layout in the making. */
struct draft {
	struct fargs_store stores[FARGS_STORES_MAX];
	unsigned int nr_stores;
	unsigned char body[BODY_MAX];
	size_t body_len;
};

/* A multiple of 8. */
static uint32_t data_bytes(const struct fargs_param *param)
{
	return (param->bytes + 7) & -8u;
}

/* Its name, type and empty data; and the stores that will fill them. */
static bool append_param(struct draft *draft, const struct fargs_param *param,
			 const struct fargs_place *place, size_t index)
{
	char unnamed[16];
	const char *name = param->name;
	bool has_length = param->type == FARGS_TYPE_BYTES;
	uint16_t length = param->bytes;
	size_t need;
	unsigned int i;

	/* An empty struct has no place and no value. */
	if (!place->nr)
		return true;
	if (!*name) {
		snprintf(unnamed, sizeof(unnamed), "arg%zu", index + 1);
		name = unnamed;
	}
	need = strlen(name) + 2 + (has_length ? sizeof(length) : 0) + data_bytes(param);
	if (need > BODY_MAX - draft->body_len || draft->nr_stores + place->nr > FARGS_STORES_MAX)
		return false;

	memcpy(draft->body + draft->body_len, name, strlen(name) + 1);
	draft->body_len += strlen(name) + 1;
	draft->body[draft->body_len++] = param->type;
	if (has_length) {
		memcpy(draft->body + draft->body_len, &length, sizeof(length));
		draft->body_len += sizeof(length);
	}
	for (i = 0; i < place->nr; i++)
		draft->stores[draft->nr_stores++] = (struct fargs_store) {
			.offset = draft->body_len + 8 * i,
			.source = place->source,
			.index = place->index + i,
		};
	memset(draft->body + draft->body_len, 0, data_bytes(param));
	draft->body_len += data_bytes(param);
	return true;
}

/* The empty name and type 0, and zeroes up to a multiple of 8. */
static bool append_end(struct draft *draft)
{
	size_t end = (draft->body_len + 2 + FARGS_RECORD_ALIGN - 1) & -(size_t)FARGS_RECORD_ALIGN;

	if (end > BODY_MAX)
		return false;
	memset(draft->body + draft->body_len, 0, end - draft->body_len);
	draft->body_len = end;
	return true;
}

/* The FUNC_PROTO of the FUNC @func_id, or NULL. */
static const struct btf_type *proto_of(const struct btf *btf, uint32_t func_id)
{
	const struct btf_type *t = btf__type_by_id(btf, func_id);

	if (!t || !btf_is_func(t))
		return NULL;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) ? t : NULL;
}

static enum fargs_refusal draft_init(struct draft *draft, const struct btf *btf, uint32_t func_id)
{
	const struct btf_type *proto = proto_of(btf, func_id);
	struct fargs_param params[FARGS_STORES_MAX];
	struct fargs_place places[FARGS_STORES_MAX];
	const struct btf_param *p;
	enum fargs_refusal why;
	size_t i, nr;

	draft->nr_stores = 0;
	draft->body_len = 0;
	if (!proto)
		return FARGS_REFUSAL_MALFORMED;
	p = btf_params(proto);
	nr = btf_vlen(proto);
	/*
	 * A last parameter with neither name nor type stands for "...": what is
	 * in front of it is passed as ever.
	 */
	if (nr && !p[nr - 1].type && !p[nr - 1].name_off)
		nr--;
	if (nr > FARGS_STORES_MAX)
		return FARGS_REFUSAL_MANY;

	for (i = 0; i < nr; i++) {
		why = fargs_param_init(&params[i], btf, btf__name_by_offset(btf, p[i].name_off),
				       p[i].type);
		if (why)
			return why;
	}
	why = fargs_x86_64_place(places, params, nr, btf, proto->type);
	if (why)
		return why;
	for (i = 0; i < nr; i++)
		if (!append_param(draft, &params[i], &places[i], i))
			return FARGS_REFUSAL_TOO_LONG;
	return append_end(draft) ? FARGS_REFUSAL_NONE : FARGS_REFUSAL_TOO_LONG;
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

int fargs_layout_compile(struct fargs_layouts *layouts, const struct btf *btf, uint32_t func_id,
			 uint64_t addr, enum fargs_refusal *why)
{
	struct draft draft;
	struct fargs_layout head = { .addr = addr };
	size_t stores_bytes;
	unsigned char *p;

	*why = draft_init(&draft, btf, func_id);
	if (*why)
		return 0;

	stores_bytes = draft.nr_stores * sizeof(draft.stores[0]);
	head.size = sizeof(head) + stores_bytes + draft.body_len;
	head.body_len = draft.body_len;
	head.nr_stores = draft.nr_stores;
	if (!make_room(layouts, head.size))
		return -ENOMEM;
	p = layouts->data + layouts->bytes;
	memcpy(p, &head, sizeof(head));
	memcpy(p + sizeof(head), draft.stores, stores_bytes);
	memcpy(p + sizeof(head) + stores_bytes, draft.body, draft.body_len);
	layouts->bytes += head.size;
	layouts->nr++;
	return 0;
}

void fargs_layouts_deinit(struct fargs_layouts *layouts)
{
	free(layouts->data);
	memset(layouts, 0, sizeof(*layouts));
}
