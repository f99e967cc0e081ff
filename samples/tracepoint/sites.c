// SPDX-License-Identifier: GPL-2.0-only
/*
 * The places where a tracepoint can be fired, and how to make them cheap. See
 * Documentation/tracepoints.md. Every "cat /proc/fargs_tp_sites" fires
 *
 *	fargs_tp_site		1, 2 and 3 in an inline function, 10 to 13 in an unrolled loop
 *	fargs_tp_header		20, 21 and 22, from a header
 *	fargs_tp_odd		1, 3, 5, 7 and 9, of ten attempts
 *	fargs_tp_text		once
 */
#include "header.h"	/* first, to show that it needs no points.h */
#include "sites.h"

#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/sched.h>

#include "formatted.h"
#include "points.h"

DEFINE_TRACE(fargs_tp_site, TP_PROTO(int nr), TP_ARGS(nr));
DEFINE_TRACE(fargs_tp_text, TP_PROTO(const char *text), TP_ARGS(text));

/* Each function into which this one is inlined has its own site of the tracepoint. */
static __always_inline void fire_inline(int nr)
{
	trace_fargs_tp_site(nr);
}

static noinline void site_first(void)
{
	fire_inline(1);
}

static noinline void site_second(void)
{
	fire_inline(2);
}

static noinline void site_third(void)
{
	fire_inline(3);
}

/* The compiler unrolls the loop: the one call becomes four sites. */
static noinline void site_unrolled(void)
{
	int i;

#pragma GCC unroll 4
	for (i = 10; i < 14; i++)
		trace_fargs_tp_site(i);
}

/*
 * Fires only for odd i: the condition is part of the tracepoint (TRACE_EVENT_CONDITION in
 * formatted.h).
 */
static noinline void fire_odd(void)
{
	int i;

	for (i = 0; i < 10; i++)
		trace_fargs_tp_odd(i);
}

/* Prepares an argument. That takes much longer than checking whether a probe is registered. */
static noinline void describe_reader(struct file *file)
{
	char text[64];

	snprintf(text, sizeof(text), "%pD read by %s", file, current->comm);
	trace_fargs_tp_text(text);
}

void fargs_tp_fire_sites(struct file *file)
{
	int i;

	site_first();
	site_second();
	site_third();
	site_unrolled();
	for (i = 20; i < 23; i++)
		fargs_tp_header(i);
	fire_odd();
	/*
	 * Prepare the argument only if a probe is registered. The tracepoint is fired in the same
	 * block, since the argument has no other use.
	 */
	if (trace_fargs_tp_text_enabled())
		describe_reader(file);
}
