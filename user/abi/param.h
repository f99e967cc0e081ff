/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a parameter is: its BTF type, with names and qualifiers taken off,
 * as the calling convention and a record see it.
 */
#ifndef FARGS_LAYOUT_PARAM_H
#define FARGS_LAYOUT_PARAM_H

#include <stdbool.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/refusal.h"

struct fargs_param {
	const char *name;	/* in the BTF; empty: it has none */
	uint32_t type_id;	/* as declared */
	uint32_t base_id;	/* without names and qualifiers */
	uint32_t bytes;		/* FARGS_TYPE_BYTES, a struct or union: 0 if it is empty */
	uint8_t type;		/* enum fargs_type */
};

/*
 * Takes typedefs, qualifiers and tags off. 0: void, or nothing sensible (a
 * chain that does not end).
 */
uint32_t fargs_param_strip(const struct btf *btf, uint32_t type_id);

/* enum fargs_type of the integer of @bytes; 0: there is none. */
uint8_t fargs_param_int_type(uint32_t bytes, bool is_signed);

/* Is the BTF_KIND_INT @t a floating-point type? There was no BTF_KIND_FLOAT once. */
bool fargs_param_is_float(const struct btf *btf, const struct btf_type *t);

/* Fills *@param for a parameter of @type_id. Returns why it cannot be shown, or NONE. */
enum fargs_refusal fargs_param_init(struct fargs_param *param, const struct btf *btf,
				    const char *name, uint32_t type_id);

#endif
