// SPDX-License-Identifier: GPL-2.0-only
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int fargs_fail(struct fargs_error_text *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (err) {
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
	}
	return -code;
}
