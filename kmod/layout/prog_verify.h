/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_PROG_VERIFY_H
#define FARGS_PROG_VERIFY_H

#include <linux/types.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

struct fargs_refusal;

/*
 * Verifies the program @which of the @nr-th layout, whose sizes, bodies and stores
 * are verified already. 0, or -EINVAL with the reason.
 */
int fargs_prog_verify(const struct fargs_layout *layout, enum fargs_prog which, u32 nr,
		      struct fargs_refusal *refusal);
/*
 * The first instruction of a verified program that reads memory other than the stack slots
 * that arguments may be in (FARGS_STACK_SLOTS_PLAIN); the number of instructions: there is
 * none.
 */
u32 fargs_prog_find_read(const struct fargs_layout *layout, enum fargs_prog which);

#endif
