/* SPDX-License-Identifier: GPL-2.0-only */
/* The capture path of functions with FARGS_LAYOUT_RETURN: from the call to the return. */
#ifndef FARGS_RET_H
#define FARGS_RET_H

#include <linux/types.h>

struct fargs_template;

/* The instruction that takes the numbers of this path. */
unsigned long fargs_ret_site(void);

/* Bytes that a slot's body needs for calls of the function with this template. */
u32 fargs_ret_body_bytes(const struct fargs_template *t);

#endif
