/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FARGS_LATE_H
#define FARGS_LATE_H

/* The compiler neither clones nor inlines the function, and assumes nothing about it in callers. */
#define __noipa __attribute__((noipa))

/* Calls the second fargs_late_twin, which takes two arguments: 42, -43. */
void fargs_late_call_twin(void);

#endif
