/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The screen of fargs top and its keys. Encapsulates ncurses.
 */
#ifndef FARGS_CMD_SCREEN_TOP_SCREEN_H
#define FARGS_CMD_SCREEN_TOP_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "sink/summary/summary.h"

struct fargs_top_screen;

/* Sets up the terminal. Returns NULL if the terminal lacks a required capability. */
struct fargs_top_screen *fargs_top_screen_create(void);
/* Restores the terminal. NULL is allowed. */
void fargs_top_screen_destroy(struct fargs_top_screen *screen);

/* Draws @s, a summary of @ms milliseconds sorted by @order, below @title. Returns 0 or -ENOMEM. */
int fargs_top_screen_draw(struct fargs_top_screen *screen, const char *title,
			  const struct fargs_summary *s, uint64_t ms,
			  enum fargs_summary_order order);
/*
 * Handles pressed keys. May change *@order; sets *@is_changed if the screen must be redrawn.
 * Returns true to quit.
 */
bool fargs_top_screen_keys(struct fargs_top_screen *screen, enum fargs_summary_order *order,
			   bool *is_changed);
/* Is the display paused? */
bool fargs_top_screen_is_paused(const struct fargs_top_screen *screen);

#endif
