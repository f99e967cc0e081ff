/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capabilities of this process.
 */
#ifndef FARGS_KERNEL_CAPS_H
#define FARGS_KERNEL_CAPS_H

#include <stdbool.h>

/* Does this process have the effective capability @cap (CAP_…)? */
bool fargs_caps_has(unsigned int cap);
/* May this process trace functions? */
bool fargs_caps_may_trace(void);
/*
 * May this process trace with programs that read memory, or that read stack slots numbered
 * FARGS_STACK_SLOTS_PLAIN and above?
 */
bool fargs_caps_may_read(void);

#endif
