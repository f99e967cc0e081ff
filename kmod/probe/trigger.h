/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls that trigger (FARGS_LAYOUT_TRIGGER in include/uapi/fargs_layout.h). Any context,
 * NMI included; preemption disabled.
 */
#ifndef FARGS_KMOD_PROBE_TRIGGER_H
#define FARGS_KMOD_PROBE_TRIGGER_H

#include <linux/types.h>

struct fargs_ring;

/**
 * fargs_trigger_fire() - a call has triggered
 * @ring: this CPU's ring
 * @is_recorded: its record is complete, else it is lost
 *
 * Between fargs_ring_enter() and fargs_ring_leave(), so that whoever freezes the rings waits for
 * it: what is frozen and has that record knows of the trigger, too.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_trigger_fire(struct fargs_ring *ring, bool is_recorded);

#endif
