/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function according to BTF: its parameters, and where they are passed.
 */
#ifndef FARGS_ABI_SIGNATURE_H
#define FARGS_ABI_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/param.h"
#include "abi/refusal.h"
#include "abi/x86_64.h"
#include "uapi/fargs_layout.h"

struct fargs_signature {
	const struct btf *btf;
	uint32_t id;			/* BTF id of the function's BTF_KIND_FUNC */
	const char *name;
	struct fargs_param params[FARGS_STORES_MAX];
	struct fargs_place places[FARGS_STORES_MAX];
	size_t nr_params;
	uint32_t ret_id;		/* BTF id of the return type; 0: void */
	bool is_ret_in_memory;		/* rax holds the address of the returned value */
	bool is_tpoint;			/* this is a tracepoint, which has no return value */
};

/*
 * Returns FARGS_REFUSAL_NONE, or the reason why the arguments cannot be determined. @btf must
 * outlive @func.
 */
enum fargs_refusal fargs_signature_init(struct fargs_signature *func, const struct btf *btf,
					uint32_t id);

/*
 * Like fargs_signature_init(), for a tracepoint. @id is its function __traceiter_NAME, which has
 * the tracepoint's parameters with their names, after the kernel's own parameter __data;
 * btf_trace_NAME has only the types. func->name becomes NAME.
 */
#define FARGS_SIGNATURE_TPOINT	"__traceiter_"
enum fargs_refusal fargs_signature_init_tpoint(struct fargs_signature *func,
					       const struct btf *btf, uint32_t id);

/* Returns the name of parameter @i (from 0), or "argN", with N counted from 1, if it is unnamed. */
#define FARGS_SIGNATURE_UNNAMED	16
const char *fargs_signature_param_name(const struct fargs_signature *func, size_t i,
				  char unnamed[FARGS_SIGNATURE_UNNAMED]);

#endif
