// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/options/realtime.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>

#include "base/size.h"

/* Default: the lowest realtime priority, which is above that of all tasks that are not realtime. */
#define PRIORITY	1

int fargs_realtime_parse(int *priority, const char *text, struct fargs_error_text *err)
{
	int min = sched_get_priority_min(SCHED_FIFO), max = sched_get_priority_max(SCHED_FIFO);
	uint64_t n = PRIORITY;

	if (text && (fargs_size_parse(text, &n, err) || n < (uint64_t)min || n > (uint64_t)max))
		return fargs_fail(err, EINVAL, "'%s' is not a priority from %d to %d", text, min,
				  max);
	*priority = n;
	return 0;
}
