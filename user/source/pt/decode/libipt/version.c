// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/libipt/version.h"

#include <stdio.h>

const char *fargs_pt_libipt_text(char text[FARGS_PT_LIBIPT_TEXT])
{
	const struct pt_version v = pt_library_version();
	int n;

	n = snprintf(text, FARGS_PT_LIBIPT_TEXT, "%u.%u.%u", v.major, v.minor, v.patch);
	if (v.major != LIBIPT_VERSION_MAJOR || v.minor != LIBIPT_VERSION_MINOR ||
	    v.patch != LIBIPT_VERSION_PATCH)
		snprintf(text + n, FARGS_PT_LIBIPT_TEXT - n, " (built with %u.%u.%u)",
			 LIBIPT_VERSION_MAJOR, LIBIPT_VERSION_MINOR, LIBIPT_VERSION_PATCH);
	return text;
}
