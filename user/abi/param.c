// SPDX-License-Identifier: GPL-2.0-only
#include "abi/param.h"

#include <stdbool.h>
#include <string.h>

#include "uapi/fargs_record.h"

/*
 * Maximum length of a chain of typedefs and qualifiers, more than any compiler generates. In
 * malformed BTF, such a chain can form a cycle.
 */
#define STRIP_MAX	64

uint32_t fargs_param_strip(const struct btf *btf, uint32_t type_id)
{
	unsigned int i;

	for (i = 0; i < STRIP_MAX; i++) {
		const struct btf_type *t = btf__type_by_id(btf, type_id);

		if (!t)
			return 0;
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			return type_id;
		type_id = t->type;
	}
	return 0;
}

uint8_t fargs_param_int_type(uint32_t bytes, bool is_signed)
{
	switch (bytes) {
	case 1:
		return is_signed ? FARGS_TYPE_S8 : FARGS_TYPE_U8;
	case 2:
		return is_signed ? FARGS_TYPE_S16 : FARGS_TYPE_U16;
	case 4:
		return is_signed ? FARGS_TYPE_S32 : FARGS_TYPE_U32;
	case 8:
		return is_signed ? FARGS_TYPE_S64 : FARGS_TYPE_U64;
	case 16:
		return is_signed ? FARGS_TYPE_S128 : FARGS_TYPE_U128;
	default:
		return 0;
	}
}

bool fargs_param_is_float(const struct btf *btf, const struct btf_type *t)
{
	const char *name = btf__name_by_offset(btf, t->name_off);

	/*
	 * BTF_KIND_INT describes only C's built-in types, not typedefs. No built-in integer type
	 * has one of these strings in its name, so the type is a floating-point type.
	 */
	return name && (strstr(name, "float") || strstr(name, "Float") ||
			strstr(name, "double") || strstr(name, "omplex"));
}

static enum fargs_refusal init_int(struct fargs_param *param, const struct btf *btf,
				   const struct btf_type *t)
{
	uint8_t encoding = btf_int_encoding(t);
	const char *name = btf__name_by_offset(btf, t->name_off);

	if (fargs_param_is_float(btf, t))
		return FARGS_REFUSAL_FLOAT;
	/*
	 * An integer with an offset, or with fewer bits than its size, describes a bitfield, which
	 * is never a parameter.
	 */
	if (btf_int_offset(t) || (btf_int_bits(t) != t->size * 8 && !(encoding & BTF_INT_BOOL)))
		return FARGS_REFUSAL_MALFORMED;

	/* pahole does not set BTF_INT_CHAR, so char is also recognized by its name. */
	if (t->size == 1 && encoding & BTF_INT_BOOL)
		param->type = FARGS_TYPE_BOOL;
	else if (t->size == 1 && (encoding & BTF_INT_CHAR || (name && !strcmp(name, "char"))))
		param->type = FARGS_TYPE_CHAR;
	else
		param->type = fargs_param_int_type(t->size, encoding & BTF_INT_SIGNED);
	return param->type ? FARGS_REFUSAL_NONE : FARGS_REFUSAL_MALFORMED;
}

enum fargs_refusal fargs_param_init(struct fargs_param *param, const struct btf *btf,
				    const char *name, uint32_t type_id)
{
	const struct btf_type *t;
	uint32_t id = fargs_param_strip(btf, type_id);

	memset(param, 0, sizeof(*param));
	param->name = name ? name : "";
	param->type_id = type_id;
	t = id ? btf__type_by_id(btf, id) : NULL;
	if (!t)
		return FARGS_REFUSAL_MALFORMED;
	param->base_id = id;

	switch (btf_kind(t)) {
	case BTF_KIND_INT:
		param->bytes = t->size;
		return init_int(param, btf, t);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		param->bytes = t->size;
		param->type = t->size <= 8 ? fargs_param_int_type(t->size, btf_kflag(t)) : 0;
		return param->type ? FARGS_REFUSAL_NONE : FARGS_REFUSAL_MALFORMED;
	case BTF_KIND_PTR:
	case BTF_KIND_ARRAY:
		/* In C, an array parameter is a pointer. */
		param->bytes = sizeof(uint64_t);
		param->type = FARGS_TYPE_PTR;
		return FARGS_REFUSAL_NONE;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		param->bytes = t->size;
		param->type = FARGS_TYPE_BYTES;
		return FARGS_REFUSAL_NONE;
	case BTF_KIND_FLOAT:
		return FARGS_REFUSAL_FLOAT;
	default:
		/* In valid BTF, no parameter has a type of any other kind. */
		return FARGS_REFUSAL_MALFORMED;
	}
}
