// SPDX-License-Identifier: GPL-2.0-only
#include "model/func_types.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/btf/btfs.h"
#include "kernel/value/symbolic.h"
#include "model/fetched.h"
#include "model/types.h"

static const struct btf *btf_of(const struct fargs_meta *meta, const struct fargs_func *func)
{
	if (!meta->btfs || !func->btf_id)
		return NULL;
	return fargs_btfs_get(meta->btfs, func->module ? func->module : FARGS_BTF_VMLINUX, NULL);
}

static void fill_param(struct fargs_func_param *param, const struct fargs_func_types *types,
		       const struct btf_param *from)
{
	const struct btf *btf = types->btf;

	param->name = btf__name_by_offset(btf, from->name_off);
	param->btf_id = from->type;
	param->base_id = fargs_types_base(btf, from->type);
	param->shape = fargs_types_shape(btf, param->base_id);
	param->is_empty = param->shape == FARGS_SHAPE_AGGREGATE &&
			  !btf__type_by_id(btf, param->base_id)->size;
	param->naming = fargs_symbolic_of_param(types->symbolic, btf, param->btf_id,
						types->func->name, param->name ? param->name : "");
}

struct fargs_func_types *fargs_func_types_create(const struct fargs_meta *meta,
						 const struct fargs_func *func,
						 struct fargs_symbolic *symbolic)
{
	const struct btf *btf = btf_of(meta, func);
	const struct btf_type *proto = btf ? fargs_types_proto(btf, func->btf_id) : NULL;
	const struct btf_param *params = proto ? btf_params(proto) : NULL;
	unsigned int i, nr = proto ? btf_vlen(proto) : 0;
	struct fargs_func_types *types;
	bool is_variadic;

	/* BTF represents "..." as a last parameter without name and type. */
	is_variadic = nr && !params[nr - 1].type && !params[nr - 1].name_off;
	nr -= is_variadic;
	types = calloc(1, sizeof(*types) + nr * sizeof(types->params[0]));
	if (!types)
		return NULL;
	types->func = func;
	types->btf = btf;
	types->symbolic = symbolic;
	types->ret_id = proto ? proto->type : 0;
	if (types->ret_id)
		types->ret_naming = fargs_symbolic_of_type(symbolic, btf, types->ret_id);
	types->nr_params = nr;
	types->is_variadic = is_variadic;
	for (i = 0; i < nr; i++) {
		fill_param(&types->params[i], types, &params[i]);
		types->has_empty |= types->params[i].is_empty;
	}
	return types;
}

void fargs_func_types_destroy(struct fargs_func_types *types)
{
	if (!types)
		return;
	fargs_fetched_destroy(types->fetched);
	free(types);
}

const struct fargs_func_param *fargs_func_types_find(const struct fargs_func_types *types,
						     const char *name, unsigned int *from)
{
	const struct fargs_func_param *p;
	unsigned int i;

	for (i = *from; i < types->nr_params; i++) {
		p = &types->params[i];
		if (p->name && p->name[0] == name[0] && !strcmp(p->name, name)) {
			*from = i + 1;
			return p;
		}
	}
	i = *from;
	if (i < types->nr_params && (!types->params[i].name || !*types->params[i].name)) {
		*from = i + 1;
		return &types->params[i];
	}
	return NULL;
}

void fargs_func_types_describe(const struct fargs_func_types *types,
			       const struct fargs_func_param *param, struct fargs_arg *arg)
{
	const struct fargs_value val = arg->val;

	*arg = (struct fargs_arg){ .val = val };
	if (!param)
		return;
	arg->btf = types->btf;
	arg->btf_id = param->btf_id;
	arg->base_id = param->base_id;
	arg->naming = param->naming;
	arg->shape = param->shape;
}

void fargs_func_types_describe_return(const struct fargs_func_types *types,
				      struct fargs_arg *arg)
{
	fargs_func_types_describe(types, NULL, arg);
	if (!types || !types->ret_id)
		return;
	arg->btf = types->btf;
	arg->btf_id = types->ret_id;
	arg->base_id = fargs_types_base(types->btf, types->ret_id);
	arg->naming = types->ret_naming;
	arg->shape = fargs_types_shape(types->btf, arg->base_id);
}

int fargs_func_types_describe_fetched(struct fargs_func_types *types, struct fargs_arg *arg)
{
	fargs_func_types_describe(types, NULL, arg);
	if (!types || !types->btf)
		return 0;
	if (!types->fetched)
		types->fetched = fargs_fetched_create(types->btf, types->func->btf_id,
						      types->func->name, types->symbolic);
	return types->fetched ? fargs_fetched_describe(types->fetched, arg) : -ENOMEM;
}
