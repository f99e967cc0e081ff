// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/walk.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <bpf/btf.h>

int fargs_btf_raw_init(struct fargs_btf_raw *raw, void *data, size_t bytes)
{
	struct btf_header head;
	size_t room;

	if (bytes < sizeof(head))
		return -EINVAL;
	memcpy(&head, data, sizeof(head));
	if (head.magic != BTF_MAGIC || head.hdr_len < sizeof(head) || head.hdr_len > bytes ||
	    head.hdr_len % 4 || head.type_off % 4)
		return -EINVAL;
	room = bytes - head.hdr_len;
	if (head.type_off > room || head.type_len > room - head.type_off ||
	    head.str_off > room || head.str_len > room - head.str_off)
		return -EINVAL;
	raw->types = (char *)data + head.hdr_len + head.type_off;
	raw->types_bytes = head.type_len;
	raw->strings = (const char *)data + head.hdr_len + head.str_off;
	raw->strings_bytes = head.str_len;
	if (head.str_len && raw->strings[head.str_len - 1])
		return -EINVAL;
	return 0;
}

/*
 * Sets *@one and *@nr to the size and number of the elements that follow @t. Returns 0, or -EINVAL
 * if its kind is unknown.
 */
static int tail(const struct btf_type *t, size_t *one, size_t *nr)
{
	*nr = 1;
	switch (btf_kind(t)) {
	case BTF_KIND_FWD:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		*one = 0;
		return 0;
	case BTF_KIND_INT:
		*one = sizeof(__u32);
		return 0;
	case BTF_KIND_ARRAY:
		*one = sizeof(struct btf_array);
		return 0;
	case BTF_KIND_VAR:
		*one = sizeof(struct btf_var);
		return 0;
	case BTF_KIND_DECL_TAG:
		*one = sizeof(struct btf_decl_tag);
		return 0;
	}
	*nr = btf_vlen(t);
	switch (btf_kind(t)) {
	case BTF_KIND_ENUM:
		*one = sizeof(struct btf_enum);
		return 0;
	case BTF_KIND_ENUM64:
		*one = sizeof(struct btf_enum64);
		return 0;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		*one = sizeof(struct btf_member);
		return 0;
	case BTF_KIND_FUNC_PROTO:
		*one = sizeof(struct btf_param);
		return 0;
	case BTF_KIND_DATASEC:
		*one = sizeof(struct btf_var_secinfo);
		return 0;
	}
	return -EINVAL;
}

/* Does the union of size and type in struct btf_type @t hold a type id? */
static bool has_type(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

static int visit_both(const struct fargs_btf_visitor *v, uint32_t *name, uint32_t *type)
{
	int ret = name ? v->string(v->arg, name) : 0;

	return ret || !type ? ret : v->type(v->arg, type);
}

/* Visits the references in the @i-th element that follows @t. */
static int visit_tail(const struct fargs_btf_visitor *v, struct btf_type *t, size_t i)
{
	struct btf_array *array = btf_array(t);
	int ret;

	switch (btf_kind(t)) {
	case BTF_KIND_ARRAY:
		ret = v->type(v->arg, &array->type);
		return ret ? ret : v->type(v->arg, &array->index_type);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return visit_both(v, &btf_members(t)[i].name_off, &btf_members(t)[i].type);
	case BTF_KIND_FUNC_PROTO:
		return visit_both(v, &btf_params(t)[i].name_off, &btf_params(t)[i].type);
	case BTF_KIND_ENUM:
		return visit_both(v, &btf_enum(t)[i].name_off, NULL);
	case BTF_KIND_ENUM64:
		return visit_both(v, &btf_enum64(t)[i].name_off, NULL);
	case BTF_KIND_DATASEC:
		return visit_both(v, NULL, &btf_var_secinfos(t)[i].type);
	default:
		return 0;
	}
}

int fargs_btf_walk(const struct fargs_btf_raw *raw, const struct fargs_btf_visitor *v)
{
	size_t at, one, nr, i;
	struct btf_type *t;
	int ret = 0;

	for (at = 0; at < raw->types_bytes; at += sizeof(*t) + nr * one) {
		t = (void *)((char *)raw->types + at);
		if (raw->types_bytes - at < sizeof(*t) || tail(t, &one, &nr) ||
		    nr * one > raw->types_bytes - at - sizeof(*t))
			return -EINVAL;
		if (v->begin)
			ret = v->begin(v->arg, t);
		if (!ret)
			ret = visit_both(v, &t->name_off, has_type(t) ? &t->type : NULL);
		for (i = 0; !ret && i < nr; i++)
			ret = visit_tail(v, t, i);
		if (ret)
			return ret;
	}
	return 0;
}
