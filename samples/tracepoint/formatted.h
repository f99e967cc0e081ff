/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints with events in tracefs: TRACE_EVENT also defines the event's fields and format.
 * Included by the files that fire the tracepoints, and several times by define_trace.h.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM fargs_tp

#if !defined(FARGS_TP_FORMATTED_H) || defined(TRACE_HEADER_MULTI_READ)
#define FARGS_TP_FORMATTED_H

#include <linux/tracepoint.h>
#include <linux/types.h>

#ifndef FARGS_TP_SMALL
#define FARGS_TP_SMALL
struct fargs_tp_small {
	u32 first;
	s32 second;
};
#endif

TRACE_EVENT(fargs_tp_formatted,
	TP_PROTO(s8 tiny, u8 byte, s16 small, u16 port, int number, u32 flags, s64 offset,
		 u64 mask, bool is_on, struct fargs_tp_small both, const char *name, long last),
	TP_ARGS(tiny, byte, small, port, number, flags, offset, mask, is_on, both, name, last),
	TP_STRUCT__entry(
		__field(s8, tiny)
		__field(u8, byte)
		__field(s16, small)
		__field(u16, port)
		__field(int, number)
		__field(u32, flags)
		__field(s64, offset)
		__field(u64, mask)
		__field(bool, is_on)
		__field(u32, first)
		__field(s32, second)
		__array(char, name, 16)
		__field(long, last)
	),
	TP_fast_assign(
		__entry->tiny = tiny;
		__entry->byte = byte;
		__entry->small = small;
		__entry->port = port;
		__entry->number = number;
		__entry->flags = flags;
		__entry->offset = offset;
		__entry->mask = mask;
		__entry->is_on = is_on;
		__entry->first = both.first;
		__entry->second = both.second;
		strscpy(__entry->name, name, sizeof(__entry->name));
		__entry->last = last;
	),
	TP_printk("tiny=%d byte=%u small=%d port=%u number=%d flags=%u offset=%lld mask=%llu is_on=%d first=%u second=%d name=%s last=%ld",
		  __entry->tiny, __entry->byte, __entry->small, __entry->port, __entry->number,
		  __entry->flags, __entry->offset, __entry->mask, __entry->is_on, __entry->first,
		  __entry->second, __entry->name, __entry->last)
);

/*
 * Probes are called only if the condition holds. It has no side effects: with CONFIG_LOCKDEP it is
 * also evaluated while no probe is registered.
 */
TRACE_EVENT_CONDITION(fargs_tp_odd,
	TP_PROTO(int nr),
	TP_ARGS(nr),
	TP_CONDITION(nr & 1),
	TP_STRUCT__entry(
		__field(int, nr)
	),
	TP_fast_assign(
		__entry->nr = nr;
	),
	TP_printk("nr=%d", __entry->nr)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE formatted
#include <trace/define_trace.h>
