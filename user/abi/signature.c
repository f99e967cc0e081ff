// SPDX-License-Identifier: GPL-2.0-only
#include "abi/signature.h"

#include <stdio.h>
#include <string.h>

#include "abi/classify.h"
#include "uapi/fargs_record.h"

/* If @t is a FUNC, returns the FUNC_PROTO to which it refers; otherwise, returns NULL. */
static const struct btf_type *proto_of(const struct btf *btf, const struct btf_type *t)
{
	if (!t || !btf_is_func(t))
		return NULL;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) ? t : NULL;
}

static enum fargs_refusal init_params(struct fargs_signature *func, const struct btf_type *proto)
{
	const struct btf_param *p = btf_params(proto);
	size_t i, nr = btf_vlen(proto);
	enum fargs_refusal why;

	/*
	 * BTF encodes "..." as a last parameter with neither name nor type. The parameters before
	 * it are passed as usual.
	 */
	if (nr && !p[nr - 1].type && !p[nr - 1].name_off)
		nr--;
	if (nr > FARGS_STORES_MAX)
		return FARGS_REFUSAL_MANY;
	for (i = 0; i < nr; i++) {
		why = fargs_param_init(&func->params[i], func->btf,
				       btf__name_by_offset(func->btf, p[i].name_off), p[i].type);
		if (why)
			return why;
	}
	func->nr_params = nr;
	return FARGS_REFUSAL_NONE;
}

enum fargs_refusal fargs_signature_init(struct fargs_signature *func, const struct btf *btf,
					uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id), *proto = proto_of(btf, t);
	enum fargs_refusal why;
	uint32_t ret_id;

	if (!proto)
		return FARGS_REFUSAL_MALFORMED;
	func->btf = btf;
	func->id = id;
	func->name = btf__name_by_offset(btf, t->name_off);
	func->nr_params = 0;
	func->is_tpoint = false;
	func->ret_id = proto->type;
	why = init_params(func, proto);
	if (why)
		return why;
	ret_id = fargs_param_strip(btf, proto->type);
	why = fargs_classify_returned(&func->is_ret_in_memory, btf, ret_id);
	if (why)
		return why;
	return fargs_x86_64_place(func->places, func->params, func->nr_params, btf, proto->type);
}

enum fargs_refusal fargs_signature_init_tpoint(struct fargs_signature *func,
					       const struct btf *btf, uint32_t id)
{
	const size_t prefix = strlen(FARGS_SIGNATURE_TPOINT);
	enum fargs_refusal why = fargs_signature_init(func, btf, id);

	if (why)
		return why;
	/* Drop the first parameter, "void *__data", which is in the first register. */
	if (!func->nr_params || func->params[0].type != FARGS_TYPE_PTR ||
	    strncmp(func->name, FARGS_SIGNATURE_TPOINT, prefix))
		return FARGS_REFUSAL_MALFORMED;
	func->name += prefix;
	func->nr_params--;
	memmove(&func->params[0], &func->params[1], func->nr_params * sizeof(func->params[0]));
	memmove(&func->places[0], &func->places[1], func->nr_params * sizeof(func->places[0]));
	func->ret_id = 0;
	func->is_ret_in_memory = false;
	func->is_tpoint = true;
	return FARGS_REFUSAL_NONE;
}

const char *fargs_signature_param_name(const struct fargs_signature *func, size_t i,
				  char unnamed[FARGS_SIGNATURE_UNNAMED])
{
	if (*func->params[i].name)
		return func->params[i].name;
	snprintf(unnamed, FARGS_SIGNATURE_UNNAMED, "arg%zu", i + 1);
	return unnamed;
}
