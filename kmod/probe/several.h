/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that several sessions trace, and others whose callback cannot simply record the call.
 *
 * The hash of a tracer has a struct fargs_several in the place of the template of such a function.
 * No task is in its bitmap of task ids, so the callbacks look for it only after they have found a
 * task untraced: functions that one session traces pay nothing for it.
 */
#ifndef FARGS_KMOD_PROBE_SEVERAL_H
#define FARGS_KMOD_PROBE_SEVERAL_H

#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "probe/capture.h"
#include "prog/template.h"

struct pt_regs;

/* A session that traces the function. */
struct fargs_several_member {
	/* &fargs_several_none: the session has left, and @probe may be freed. */
	struct fargs_template *template;
	struct fargs_probe *probe;	/* of the session */
};

struct fargs_several {
	const struct fargs_capture *capture;	/* &fargs_several_nobody; as in fargs_template */
	/* fargs_several_capture(). A pointer, since that function knows the paths that call it. */
	void (*call)(unsigned long ip, unsigned long parent_ip,
		     const struct fargs_several *several, struct pt_regs *regs);
	u32 nr;			/* not 0 */
	struct fargs_several_member members[];
};

static_assert(offsetof(struct fargs_template, capture) ==
	      offsetof(struct fargs_several, capture));

/* Traces no task. */
extern struct fargs_capture fargs_several_nobody;

/* A template of no function, which is never captured. */
extern struct fargs_template fargs_several_none;

/* Returns the struct fargs_several that the slot of a function has; NULL: it has a template. */
static __always_inline struct fargs_several *fargs_several_of(struct fargs_template *t)
{
	return t->capture == &fargs_several_nobody ? (void *)t : NULL;
}

/**
 * fargs_several_init() - make the bitmap of fargs_several_nobody
 *
 * Context: Process context, at module init.
 * Return: 0 or -ENOMEM.
 */
int fargs_several_init(void);

/**
 * fargs_several_exit() - free what fargs_several_init() has made
 *
 * Context: Process context. No callback can run any more.
 */
void fargs_several_exit(void);

/**
 * fargs_several_site() - find where fargs_several_capture() allocates sequence numbers
 * @path: FARGS_PATH_PLAIN or FARGS_PATH_FETCH
 *
 * Context: Any context.
 * Return: The address of the only instruction there that allocates those of the path's records.
 */
unsigned long fargs_several_site(enum fargs_path path);

/**
 * fargs_several_capture() - capture a call in each session that traces the function
 * @ip: fentry address of the function
 * @parent_ip: return address of the call
 * @several: the struct fargs_several of the function
 * @regs: registers at the call
 *
 * The caller has disabled preemption; this function enables it again.
 *
 * Context: Any context, NMI included; RCU may not be watching. Preemption is disabled.
 */
void fargs_several_capture(unsigned long ip, unsigned long parent_ip,
			   const struct fargs_several *several, struct pt_regs *regs);

#endif
