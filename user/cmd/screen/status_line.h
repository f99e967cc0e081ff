/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line at the bottom of the terminal that standard error is: it tells how it goes, and is gone
 * before anything else is written. Where standard error is no terminal, there is none.
 */
#ifndef FARGS_STATUS_LINE_H
#define FARGS_STATUS_LINE_H

#include <stdbool.h>

/* May there be one now? Not for a task in the background of its terminal. */
bool fargs_status_line_can(void);
/* Shows @text, cut to the width of the terminal, in the place of what is shown. */
void fargs_status_line_show(const char *text);
/* Leaves the line empty; to be called before something is written that may go to the terminal. */
void fargs_status_line_hide(void);
bool fargs_status_line_is_shown(void);

#endif
