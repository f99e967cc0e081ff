/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An inline function that fires a tracepoint. A header should not include the header that declares
 * the tracepoint (here points.h): the macros there generate much code, and TRACE_EVENT depends on
 * what the including file has defined. Instead, tracepoint_enabled() tests the tracepoint, and a
 * function in a .c file fires it.
 */
#ifndef FARGS_TP_HEADER_H
#define FARGS_TP_HEADER_H

#include <linux/tracepoint-defs.h>

DECLARE_TRACEPOINT(fargs_tp_header);
void do_trace_fargs_tp_header(int nr);

static inline void fargs_tp_header(int nr)
{
	if (tracepoint_enabled(fargs_tp_header))
		do_trace_fargs_tp_header(nr);
}

#endif
