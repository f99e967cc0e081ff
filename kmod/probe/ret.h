/* SPDX-License-Identifier: GPL-2.0-only */
/* The capture path of functions with FARGS_LAYOUT_RETURN: from the call to the return. */
#ifndef FARGS_KMOD_PROBE_RET_H
#define FARGS_KMOD_PROBE_RET_H

#include <linux/types.h>

struct fargs_template;

/**
 * fargs_ret_site() - where calls and returns take sequence numbers
 *
 * Context: Any context.
 * Return: The address of the one instruction that does.
 */
unsigned long fargs_ret_site(void);

/**
 * fargs_ret_body_bytes() - how much a slot keeps of a function's calls
 * @t: the template
 *
 * Context: Any context.
 * Return: Bytes that the slot's body must have.
 */
u32 fargs_ret_body_bytes(const struct fargs_template *t);

#endif
