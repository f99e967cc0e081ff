/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of libipt. 2.0 and 2.1 share a soname, so the version at run time may differ from
 * that at build time.
 */
#ifndef FARGS_SOURCE_PT_DECODE_LIBIPT_VERSION_H
#define FARGS_SOURCE_PT_DECODE_LIBIPT_VERSION_H

#include <intel-pt.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns whether the version of libipt at run time is @major.@minor or later. */
static inline bool fargs_pt_libipt_is(unsigned int major, unsigned int minor)
{
	const struct pt_version version = pt_library_version();

	return version.major > major || (version.major == major && version.minor >= minor);
}

#define FARGS_PT_LIBIPT_TEXT	64

/* Writes "2.1.2", or "2.1.2 (built with 2.0.5)" if the versions differ. Returns @text. */
const char *fargs_pt_libipt_text(char text[FARGS_PT_LIBIPT_TEXT]);

#endif
