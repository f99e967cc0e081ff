// SPDX-License-Identifier: GPL-2.0-only
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench/native/lttng_event.h"

#include "lttng.h"

bool lttng_is_on(void)
{
	return lttng_ust_tracepoint_enabled(fargs_native, call);
}

void lttng_call(const uint64_t *args, uint64_t ip, uint64_t parent_ip)
{
	static uint64_t seq;

	lttng_ust_tracepoint(fargs_native, call, args, ip, parent_ip, seq++, 1, 0, 0x246);
}
