/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF types of one function's parameters and result, and of the values fetched from its calls.
 */
#ifndef FARGS_MODEL_FUNC_TYPES_H
#define FARGS_MODEL_FUNC_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "model/meta.h"

struct fargs_fetched;
struct fargs_naming;
struct fargs_symbolic;

struct fargs_func_param {
	const char *name;	/* points to a string in the BTF */
	uint32_t btf_id;
	uint32_t base_id;
	const struct fargs_naming *naming;	/* as in struct fargs_arg */
	uint8_t shape;		/* enum fargs_shape */
	bool is_empty;		/* the parameter is a struct without members */
};

struct fargs_func_types {
	const struct fargs_func *func;
	const struct btf *btf;		/* NULL: no BTF describes the function */
	bool is_variadic;
	bool has_empty;			/* is_empty is set for at least one parameter */
	struct fargs_fetched *fetched;	/* NULL: no type of a fetched value was looked up yet */
	uint32_t ret_id;		/* BTF id of the result's type; 0: void, or unknown */
	const struct fargs_naming *ret_naming;
	struct fargs_symbolic *symbolic;
	unsigned int nr_params;		/* number of @params, not counting a final "..." */
	struct fargs_func_param params[];
};

/*
 * Looks up the types of @func. @meta, which owns @func, and @symbolic must outlive the result.
 * NULL: no memory.
 */
struct fargs_func_types *fargs_func_types_create(const struct fargs_meta *meta,
						 const struct fargs_func *func,
						 struct fargs_symbolic *symbolic);
void fargs_func_types_destroy(struct fargs_func_types *types);

/*
 * Finds the parameter that the value called @name belongs to. Records keep the order of parameters,
 * so the search starts at index *@from. If no parameter has the name, the value belongs to the
 * parameter at *@from, provided that this parameter is unnamed. Sets *@from to the index after the
 * parameter. Returns NULL if the value is not a parameter.
 */
const struct fargs_func_param *fargs_func_types_find(const struct fargs_func_types *types,
						     const char *name, unsigned int *from);

/*
 * Fill in all members of @arg except for val. @types and @param may be NULL: the type is then
 * unknown.
 */
void fargs_func_types_describe(const struct fargs_func_types *types,
			       const struct fargs_func_param *param, struct fargs_arg *arg);
void fargs_func_types_describe_return(const struct fargs_func_types *types,
				      struct fargs_arg *arg);
/* Fills in @arg of a fetched value, whose val is set. Returns 0 or -ENOMEM. */
int fargs_func_types_describe_fetched(struct fargs_func_types *types, struct fargs_arg *arg);

#endif
