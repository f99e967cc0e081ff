/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this process may do.
 */
#ifndef FARGS_CTL_CAPS_H
#define FARGS_CTL_CAPS_H

#include <stdbool.h>

/* Has this process, effectively, the capability of that number (CAP_…)? */
bool fargs_caps_has(unsigned int cap);

#endif
