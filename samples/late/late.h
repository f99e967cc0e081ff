/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_LATE_H
#define FARGS_LATE_H

/* Disables inlining, cloning, and optimizations in callers that depend on the function's body. */
#define __noipa __attribute__((noipa))

/* Calls the fargs_late_twin() of twin.c with its two arguments 42 and -43. */
void fargs_late_call_twin(void);

#endif
