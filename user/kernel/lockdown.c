// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/lockdown.h"

#include <string.h>

#include "base/file.h"

enum fargs_lockdown fargs_lockdown_get(void)
{
	char line[128];

	if (fargs_file_line("/sys/kernel/security/lockdown", line, sizeof(line)))
		return FARGS_LOCKDOWN_UNKNOWN;
	if (strstr(line, "[confidentiality]"))
		return FARGS_LOCKDOWN_CONFIDENTIALITY;
	return strstr(line, "[integrity]") ? FARGS_LOCKDOWN_INTEGRITY : FARGS_LOCKDOWN_NONE;
}
