/* SPDX-License-Identifier: GPL-2.0-only */
/* LTTng-UST. native.c can be linked without it. */
#ifndef BENCH_NATIVE_LTTNG_H
#define BENCH_NATIVE_LTTNG_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the event is enabled in a session. */
bool lttng_is_on(void) __attribute__((__weak__));

/* Records a call with the four arguments @args. */
void lttng_call(const uint64_t *args, uint64_t ip, uint64_t parent_ip) __attribute__((__weak__));

#endif
