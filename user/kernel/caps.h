/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this process may do.
 */
#ifndef FARGS_CTL_CAPS_H
#define FARGS_CTL_CAPS_H

#include <stdbool.h>

/* Has this process, effectively, the capability of that number (CAP_…)? */
bool fargs_caps_has(unsigned int cap);
/* To have functions traced. */
bool fargs_caps_may_trace(void);
/* Besides: to have memory read, and stack slots from FARGS_STACK_SLOTS_PLAIN on. */
bool fargs_caps_may_read(void);

#endif
