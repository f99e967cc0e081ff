/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_LATE_H
#define FARGS_LATE_H

/* Disables inlining, cloning, and optimizations in callers that depend on the function's body. */
#define __noipa __attribute__((noipa))

/* Calls the static function fargs_late_twin() in twin.c with the arguments 42 and -43. */
void fargs_late_call_twin(void);

#endif
