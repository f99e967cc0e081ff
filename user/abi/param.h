/* SPDX-License-Identifier: GPL-2.0-only */
/* A parameter and its type, as needed by the calling convention and by records. */
#ifndef FARGS_ABI_PARAM_H
#define FARGS_ABI_PARAM_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

struct fargs_param {
	const char *name;	/* name in BTF; empty if the parameter is unnamed */
	uint32_t type_id;	/* BTF id of its type, as declared */
	uint32_t base_id;	/* BTF id of its type without typedefs, qualifiers and tags */
	uint32_t bytes;		/* size of its type in bytes; 0: an empty struct or union */
	uint8_t type;		/* enum fargs_type; FARGS_TYPE_BYTES: a struct or union */
};

/*
 * Returns the id of type @type_id without typedefs, qualifiers and tags: 0 for void, or if
 * malformed BTF has an endless chain of them.
 */
uint32_t fargs_param_strip(const struct btf *btf, uint32_t type_id);

/* Returns the enum fargs_type of an integer of @bytes, or 0 if there is none of that size. */
uint8_t fargs_param_int_type(uint32_t bytes, bool is_signed);

/* Is the BTF_KIND_INT @t a floating-point type? Old encoders had no BTF_KIND_FLOAT. */
bool fargs_param_is_float(const struct btf *btf, const struct btf_type *t);

/*
 * Fills *@param for a parameter of @type_id. Returns FARGS_REFUSAL_NONE, or the reason why the
 * parameter cannot be shown.
 */
enum fargs_refusal fargs_param_init(struct fargs_param *param, const struct btf *btf,
				    const char *name, uint32_t type_id);

#endif
