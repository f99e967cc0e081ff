/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_LAYOUT_PROG_VERIFY_H
#define FARGS_KMOD_LAYOUT_PROG_VERIFY_H

#include <linux/types.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

struct fargs_refusal;

/**
 * fargs_prog_verify() - verify a program
 * @layout: its layout, whose sizes, bodies and stores are verified
 * @which: of its programs
 * @nr: the layout's index in the batch
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Process context. May sleep.
 * Return: 0, or -EINVAL with the reason in @refusal.
 */
int fargs_prog_verify(const struct fargs_layout *layout, enum fargs_prog which, u32 nr,
		      struct fargs_refusal *refusal);

/**
 * fargs_prog_find_read() - find the first instruction that reads memory
 * @layout: the layout
 * @which: of its programs, verified
 *
 * Other memory than the stack slots that arguments may be in (FARGS_STACK_SLOTS_PLAIN).
 *
 * Context: Any context.
 * Return: Its index; the number of instructions: there is none.
 */
u32 fargs_prog_find_read(const struct fargs_layout *layout, enum fargs_prog which);

#endif
