/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_LAYOUT_PROG_VERIFY_H
#define FARGS_KMOD_LAYOUT_PROG_VERIFY_H

#include <linux/types.h>

#include "uapi/fargs_layout.h"
#include "uapi/fargs_prog.h"

struct fargs_refusal;

/**
 * fargs_prog_verify() - verify a program
 * @layout: layout of the program; sizes, bodies and stores have been verified
 * @which: which program of the layout
 * @nr: index of the layout in the batch
 * @refusal: filled in if the program is refused
 *
 * Context: Process context. May sleep.
 * Return: 0, or -EINVAL with the reason in @refusal.
 */
int fargs_prog_verify(const struct fargs_layout *layout, enum fargs_prog which, u32 nr,
		      struct fargs_refusal *refusal);

/**
 * fargs_prog_find_read() - find the first instruction that reads memory
 * @layout: the layout
 * @which: which program of the layout; has been verified
 *
 * Reads of the first FARGS_STACK_SLOTS_PLAIN stack slots do not count as reads of memory.
 *
 * Context: Any context.
 * Return: The index of the instruction, or the number of instructions if none reads memory.
 */
u32 fargs_prog_find_read(const struct fargs_layout *layout, enum fargs_prog which);

#endif
