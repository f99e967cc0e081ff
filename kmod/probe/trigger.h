/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that trigger (FARGS_LAYOUT_TRIGGER in include/uapi/fargs_layout.h). Any context,
 * NMI included; preemption disabled.
 */
#ifndef FARGS_TRIGGER_H
#define FARGS_TRIGGER_H

#include <linux/types.h>

struct fargs_ring;

/*
 * A call has triggered, and its record is complete, or lost (@is_recorded is false).
 * Between fargs_ring_enter() and fargs_ring_leave(), so that who freezes the rings waits
 * for it: what is frozen and has that record knows of the trigger, too.
 */
void fargs_trigger_fire(struct fargs_ring *ring, bool is_recorded);

#endif
