/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SELFTESTS_ADD_TEXT_H
#define SELFTESTS_ADD_TEXT_H

#include "base/buf.h"

/* A callback that receives text, and appends it to the struct fargs_buf @arg. */
static int add_text(void *arg, const char *text, size_t bytes)
{
	fargs_buf_add(arg, text, bytes);
	return 0;
}

#endif
