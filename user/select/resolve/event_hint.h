/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Suggests the option -e to users who write a field of a formatted event in a selector of -t.
 */
#ifndef FARGS_SELECT_RESOLVE_EVENT_HINT_H
#define FARGS_SELECT_RESOLVE_EVENT_HINT_H

#include "select/syntax/diagnostic.h"

/*
 * If @m reports that @tpoint has no argument with the name at m->column of @selector, and an event
 * of @tpoint has a field with that name, adds the suggestion to @m. @dir: mount point of tracefs.
 */
void fargs_event_hint(struct fargs_diagnostic *m, const char *dir, const char *tpoint,
		      const char *selector);

#endif
