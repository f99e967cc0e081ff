/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_BASE_REFUSAL_H
#define FARGS_KMOD_BASE_REFUSAL_H

#include <linux/types.h>

#include "uapi/fargs.h"

/* The extended error of one ioctl, filled in where the error is detected. */
struct fargs_refusal {
	struct fargs_error error;
};

/**
 * fargs_refusal_init() - initialize a refusal, without a reason
 * @refusal: the refusal
 *
 * Context: Any context.
 */
void fargs_refusal_init(struct fargs_refusal *refusal);

/**
 * fargs_refuse() - record why an ioctl is refused
 * @refusal: the refusal to be filled in
 * @code: a positive errno
 * @layout: index of the layout in the batch, or FARGS_NONE
 * @field: offset of the faulty field, or FARGS_NONE
 * @fmt: the reason, a printf() format
 * @...: arguments of the format
 *
 * Only the first reason is kept, since later errors are only consequences of the first.
 *
 * Context: Process context.
 * Return: -@code.
 */
__printf(5, 6) int fargs_refuse(struct fargs_refusal *refusal, int code, u32 layout, u32 field,
				const char *fmt, ...);

#endif
