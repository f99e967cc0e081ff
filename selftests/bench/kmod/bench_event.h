/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tracepoint with the arguments of fargs_bench_4(), and an event that records them unchanged, for
 * comparison with the kernel's own ways of recording.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM fargs_bench_tp

#if !defined(FARGS_BENCH_EVENT_H) || defined(TRACE_HEADER_MULTI_READ)
#define FARGS_BENCH_EVENT_H

#include <linux/tracepoint.h>

struct fargs_bench_obj;

TRACE_EVENT(fargs_bench_event,
	TP_PROTO(struct fargs_bench_obj *obj, const char *name, unsigned long flags, int mode),
	TP_ARGS(obj, name, flags, mode),
	TP_STRUCT__entry(
		__field(struct fargs_bench_obj *, obj)
		__field(const char *, name)
		__field(unsigned long, flags)
		__field(int, mode)
	),
	TP_fast_assign(
		__entry->obj = obj;
		__entry->name = name;
		__entry->flags = flags;
		__entry->mode = mode;
	),
	TP_printk("obj=%p name=%p flags=%lu mode=%d", __entry->obj, __entry->name,
		  __entry->flags, __entry->mode)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE bench_event
#include <trace/define_trace.h>
