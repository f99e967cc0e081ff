/* SPDX-License-Identifier: GPL-2.0-only */
/* An LTTng-UST event with the fields of a record of fargs, except the time, which LTTng adds. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER fargs_native

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "bench/native/lttng_event.h"

#if !defined(BENCH_NATIVE_LTTNG_EVENT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BENCH_NATIVE_LTTNG_EVENT_H

#include <stdint.h>

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(fargs_native, call,
	LTTNG_UST_TP_ARGS(const uint64_t *, args, uint64_t, ip, uint64_t, parent_ip, uint64_t, seq,
			  uint32_t, tid, uint32_t, preempt, uint32_t, flags),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint32_t, tid, tid)
		lttng_ust_field_integer_hex(uint64_t, ip, ip)
		lttng_ust_field_integer_hex(uint64_t, parent_ip, parent_ip)
		lttng_ust_field_integer(uint64_t, seq, seq)
		lttng_ust_field_integer(uint32_t, preempt, preempt)
		lttng_ust_field_integer_hex(uint32_t, eflags_tif, flags)
		lttng_ust_field_integer_hex(uint64_t, obj, args[0])
		lttng_ust_field_integer_hex(uint64_t, name, args[1])
		lttng_ust_field_integer(uint64_t, flags, args[2])
		lttng_ust_field_integer(int32_t, mode, args[3])
	)
)

#endif

#include <lttng/tracepoint-event.h>
