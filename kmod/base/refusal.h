/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_KMOD_BASE_REFUSAL_H
#define FARGS_KMOD_BASE_REFUSAL_H

#include <linux/types.h>

#include "uapi/fargs.h"

/* The extended error of one ioctl call, filled in where the fault is found. */
struct fargs_refusal {
	struct fargs_error error;
};

/**
 * fargs_refusal_init() - begin without a reason
 * @refusal: where the reason of a refusal is noted
 *
 * Context: Any context.
 */
void fargs_refusal_init(struct fargs_refusal *refusal);

/**
 * fargs_refuse() - note why a call is refused
 * @refusal: where the reason of a refusal is noted
 * @code: a positive errno
 * @layout: index of the layout in the batch, or FARGS_NONE
 * @field: offset of the field, or FARGS_NONE
 * @fmt: the reason, as for printf()
 * @...: its arguments
 *
 * The first reason stays: what is noted later follows from it.
 *
 * Context: Process context.
 * Return: -@code.
 */
__printf(5, 6) int fargs_refuse(struct fargs_refusal *refusal, int code, u32 layout, u32 field,
				const char *fmt, ...);

#endif
