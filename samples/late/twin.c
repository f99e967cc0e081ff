// SPDX-License-Identifier: GPL-2.0-only
/* A static function with the same name as one in main.c, but with different parameters. */
#include <linux/compiler.h>

#include "late.h"

static noinline long __noipa fargs_late_twin(long first, short second)
{
	return first * second;
}

void fargs_late_call_twin(void)
{
	fargs_late_twin(42, -43);
}
