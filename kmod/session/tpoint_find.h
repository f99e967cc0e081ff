/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tracepoints that there are: the kernel's own, and those of modules, which are told of
 * by a notifier. One for this module, not for each session.
 */
#ifndef FARGS_TPOINT_FIND_H
#define FARGS_TPOINT_FIND_H

struct module;
struct tracepoint;

/* At module init and exit. -errno. */
int fargs_tpoint_find_init(void);
void fargs_tpoint_find_deinit(void);

/*
 * Calls @fn for each of them; @mod: NULL for the kernel's own. Process context. Under
 * session->lock what is found stays until that is let go of: a module that goes has to take
 * it first (session.h).
 */
void fargs_tpoint_find_each(void (*fn)(void *arg, struct tracepoint *tp,
				       const struct module *mod), void *arg);
/* The same for those of @mod, which comes. */
void fargs_tpoint_find_each_of(const struct module *mod,
			       void (*fn)(void *arg, struct tracepoint *tp,
					  const struct module *mod), void *arg);

#endif
