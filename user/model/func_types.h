/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What BTF says of the values of one function's records.
 */
#ifndef FARGS_DECODE_FUNC_TYPES_H
#define FARGS_DECODE_FUNC_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/event.h"
#include "model/meta.h"

struct fargs_fetched;

struct fargs_func_param {
	const char *name;	/* owned by BTF */
	uint32_t btf_id;
	uint32_t base_id;
	uint8_t shape;		/* enum fargs_shape */
	bool is_empty;		/* a struct without members */
};

struct fargs_func_types {
	const struct fargs_func *func;
	const struct btf *btf;		/* NULL: none describes it */
	bool is_variadic;
	bool has_empty;			/* some parameter is */
	struct fargs_fetched *fetched;	/* NULL: nothing was yet */
	uint32_t ret_id;		/* type of what it returns; 0: nothing, or not known */
	unsigned int nr_params;		/* without the "..." */
	struct fargs_func_param params[];
};

/* @meta, and with it @func, must outlive it. NULL: no memory. */
struct fargs_func_types *fargs_func_types_create(const struct fargs_meta *meta,
						 const struct fargs_func *func);
void fargs_func_types_destroy(struct fargs_func_types *types);

/*
 * The parameter that a value belongs to: the one of its name, at or behind *@from,
 * since a record keeps their order; a parameter without a name stands for any name
 * at its own place. NULL: it is none. *@from: behind it.
 */
const struct fargs_func_param *fargs_func_types_find(const struct fargs_func_types *types,
						     const char *name, unsigned int *from);

/* Fill in what @arg is, all but val. @types and @param may be NULL: nothing is known. */
void fargs_func_types_describe(const struct fargs_func_types *types,
			       const struct fargs_func_param *param, struct fargs_arg *arg);
void fargs_func_types_describe_return(const struct fargs_func_types *types,
				      struct fargs_arg *arg);
/* Of a value that was fetched, val is there and needed. 0 or -ENOMEM. */
int fargs_func_types_describe_fetched(struct fargs_func_types *types, struct fargs_arg *arg);

#endif
