/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Determines where arguments are passed by the x86-64 System V ABI (section 3.2.3), as the kernel
 * uses it: without vector registers.
 */
#ifndef FARGS_ABI_X86_64_H
#define FARGS_ABI_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/param.h"
#include "abi/refusal.h"

/* Where an argument is passed. */
struct fargs_place {
	uint8_t source;		/* enum fargs_source */
	uint8_t index;		/* index of the register or the first stack slot */
	uint8_t nr;		/* number of registers or slots, 8 bytes each; 0: not passed */
};

/*
 * Determines the places of @nr @params of a function that returns @ret_type_id. Returns
 * FARGS_REFUSAL_NONE, or the reason why this is impossible.
 */
enum fargs_refusal fargs_x86_64_place(struct fargs_place *places, const struct fargs_param *params,
				      size_t nr, const struct btf *btf, uint32_t ret_type_id);

#endif
