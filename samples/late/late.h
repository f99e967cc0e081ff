/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_LATE_H
#define FARGS_LATE_H

/* No clones, no inlining, nothing known of it where it is called. */
#define __noipa __attribute__((noipa))

/* Calls the second fargs_late_twin, which takes two arguments: 42, -43. */
void fargs_late_call_twin(void);

#endif
