/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A status line at the bottom of the terminal on standard error. It is removed before anything else
 * is written, and not shown if standard error is not a terminal.
 */
#ifndef FARGS_CMD_SCREEN_STATUS_LINE_H
#define FARGS_CMD_SCREEN_STATUS_LINE_H

#include <stdbool.h>

/* Can a status line be shown now? False while the process is in the background. */
bool fargs_status_line_can(void);
/* Shows @text, truncated to the width of the terminal, in place of the previous status line. */
void fargs_status_line_show(const char *text);
/* Removes the status line. To be called before other output that may go to the terminal. */
void fargs_status_line_hide(void);
bool fargs_status_line_is_shown(void);

#endif
