// SPDX-License-Identifier: GPL-2.0-only
#include "decode/types.h"

#include <stddef.h>

#include "decode/event.h"

/* Longer chains of typedefs than this are loops. */
#define CHAIN_MAX	64

uint32_t fargs_types_base(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t;
	int i;

	for (i = 0; i < CHAIN_MAX; i++) {
		t = btf__type_by_id(btf, id);
		if (!t)
			return 0;
		switch (btf_kind(t)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = t->type;
			break;
		default:
			return id;
		}
	}
	return 0;
}

uint8_t fargs_types_shape(const struct btf *btf, uint32_t base_id)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);

	if (!base_id || !t)
		return FARGS_SHAPE_PLAIN;
	if (btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64)
		return FARGS_SHAPE_ENUM;
	if (btf_kind(t) == BTF_KIND_PTR) {
		t = btf__type_by_id(btf, fargs_types_base(btf, t->type));
		if (t && btf_kind(t) == BTF_KIND_FUNC_PROTO)
			return FARGS_SHAPE_FUNC;
	}
	return FARGS_SHAPE_PLAIN;
}

const struct btf_type *fargs_types_proto(const struct btf *btf, uint32_t func_id)
{
	const struct btf_type *t = btf__type_by_id(btf, func_id);

	if (!t || btf_kind(t) != BTF_KIND_FUNC)
		return NULL;
	t = btf__type_by_id(btf, t->type);
	return t && btf_kind(t) == BTF_KIND_FUNC_PROTO ? t : NULL;
}

const char *fargs_types_enumerator(const struct btf *btf, uint32_t base_id, uint64_t value)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);
	const struct btf_enum64 *e64;
	const struct btf_enum *e;
	uint64_t mask;
	int i;

	if (!t || !t->size || (btf_kind(t) != BTF_KIND_ENUM && btf_kind(t) != BTF_KIND_ENUM64))
		return NULL;
	/* Only the enum's own width: an extended sign must not tell values apart. */
	mask = t->size >= 8 ? UINT64_MAX : (1ull << 8 * t->size) - 1;
	if (btf_kind(t) == BTF_KIND_ENUM) {
		e = btf_enum(t);
		for (i = 0; i < btf_vlen(t); i++)
			if (!(((uint64_t)(int64_t)e[i].val ^ value) & mask))
				return btf__name_by_offset(btf, e[i].name_off);
		return NULL;
	}
	e64 = btf_enum64(t);
	for (i = 0; i < btf_vlen(t); i++)
		if (!((btf_enum64_value(&e64[i]) ^ value) & mask))
			return btf__name_by_offset(btf, e64[i].name_off);
	return NULL;
}
