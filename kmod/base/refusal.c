// SPDX-License-Identifier: GPL-2.0-only
#include "base/refusal.h"

#include <linux/kernel.h>
#include <linux/string.h>

void fargs_refusal_init(struct fargs_refusal *refusal)
{
	memset(refusal, 0, sizeof(*refusal));
	refusal->error.layout = FARGS_NONE;
	refusal->error.field = FARGS_NONE;
}

int fargs_refuse(struct fargs_refusal *refusal, int code, u32 layout, u32 field,
		 const char *fmt, ...)
{
	va_list args;

	if (refusal->error.text[0])
		return -code;
	refusal->error.layout = layout;
	refusal->error.field = field;
	va_start(args, fmt);
	vscnprintf(refusal->error.text, sizeof(refusal->error.text), fmt, args);
	va_end(args);
	return -code;
}
