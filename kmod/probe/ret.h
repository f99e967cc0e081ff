/* SPDX-License-Identifier: GPL-2.0-only */
/* The capture path of functions with FARGS_LAYOUT_RETURN or FARGS_LAYOUT_SCOPE. */
#ifndef FARGS_KMOD_PROBE_RET_H
#define FARGS_KMOD_PROBE_RET_H

#include <linux/types.h>

struct fargs_template;

/**
 * fargs_ret_site() - find where the return path allocates sequence numbers
 *
 * Context: Any context.
 * Return: The address of the only instruction of the path that allocates sequence numbers, both at
 *	the call and at the return.
 */
unsigned long fargs_ret_site(void);

/**
 * fargs_ret_body_bytes() - get the number of bytes of body that a slot needs for a function's calls
 * @t: the template of the function
 *
 * Context: Any context.
 * Return: The number of bytes; 0 if calls of the function are not composed.
 */
u32 fargs_ret_body_bytes(const struct fargs_template *t);

#endif
