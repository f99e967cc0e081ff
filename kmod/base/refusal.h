/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_REFUSAL_H
#define FARGS_REFUSAL_H

#include <linux/types.h>

#include "uapi/fargs.h"

/* The extended error of one ioctl call, filled in where the fault is found. */
struct fargs_refusal {
	struct fargs_error error;
};

void fargs_refusal_init(struct fargs_refusal *refusal);

/*
 * Notes why and returns -@code. @layout and @field as in struct fargs_error.
 * The first one noted stays: what comes later follows from it.
 */
__printf(5, 6) int fargs_refuse(struct fargs_refusal *refusal, int code, u32 layout, u32 field,
				const char *fmt, ...);

#endif
