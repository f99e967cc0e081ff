/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the x86-64 System V ABI puts arguments (its section 3.2.3), as far as
 * the kernel uses it: there are no vector registers.
 */
#ifndef FARGS_LAYOUT_X86_64_H
#define FARGS_LAYOUT_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

#include "abi/param.h"
#include "abi/refusal.h"

/* One argument's place. */
struct fargs_place {
	uint8_t source;		/* enum fargs_source */
	uint8_t index;		/* of the register, or of the first stack slot */
	uint8_t nr;		/* registers or slots, of 8 bytes each; 0: it is empty */
};

/*
 * Places for @nr @params of a function that returns @ret_type_id. Returns why
 * they cannot be told, or NONE.
 */
enum fargs_refusal fargs_x86_64_place(struct fargs_place *places, const struct fargs_param *params,
				      size_t nr, const struct btf *btf, uint32_t ret_type_id);

#endif
