/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The screen of fargs top, and its keys: by ncurses, of which nobody else knows.
 */
#ifndef FARGS_TOP_SCREEN_H
#define FARGS_TOP_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "sink/summary/summary.h"

struct fargs_top_screen;

/* Takes the terminal. NULL: it can do too little. */
struct fargs_top_screen *fargs_top_screen_create(void);
/* Gives it back as it was; NULL is fine. */
void fargs_top_screen_destroy(struct fargs_top_screen *screen);

/* Shows @s, of @ms and sorted by @order, below @title. 0 or -ENOMEM. */
int fargs_top_screen_draw(struct fargs_top_screen *screen, const char *title,
			  const struct fargs_summary *s, uint64_t ms,
			  enum fargs_summary_order order);
/*
 * Takes the keys that were pressed: may change *@order, and *@is_changed says that it is to be
 * drawn anew. True: to end.
 */
bool fargs_top_screen_keys(struct fargs_top_screen *screen, enum fargs_summary_order *order,
			   bool *is_changed);
/* Is what is shown to stay? */
bool fargs_top_screen_is_paused(const struct fargs_top_screen *screen);

#endif
