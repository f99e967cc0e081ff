/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers (FARGS_LAYOUT_TRIGGER in include/uapi/fargs_layout.h). Context: any context, NMI
 * included. Preemption is disabled.
 */
#ifndef FARGS_KMOD_PROBE_TRIGGER_H
#define FARGS_KMOD_PROBE_TRIGGER_H

#include <linux/types.h>

struct fargs_ring;

/**
 * fargs_trigger_fire() - fire the trigger for a call that triggers
 * @ring: this CPU's ring
 * @is_recorded: true: the record of the call is complete, false: the record is lost
 *
 * Must be called before the record is published, so that fargs_rings_freeze() waits for the end of
 * this function: if frozen rings contain the record, is_triggered is set.
 *
 * Context: Any context, NMI included. Preemption is disabled.
 */
void fargs_trigger_fire(struct fargs_ring *ring, bool is_recorded);

#endif
